// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\nlocal b,d=ARGV[2],tonumber(ARGV[3])local l,ar=b:sub(1,36),a+ARGV[4]*1000 local c,g,aZ=o[l],0,{}if c then g=select(2,al())if h~=d then c=nil end if c and ar>c then o[l]=ar end elseif h>=d and(m=='semaphore'or m=='rw'and B:find(' '..ARGV[3]..' ',1,true))then local k=aY(b)local bu=m~='semaphore'local t=redis.call('ZMSCORE',j,bu and'o'..b:sub(37)or't'..l,unpack(k))local bh=tonumber(table.remove(t,1)or nil)for p,F in ipairs(t)do local bg=tonumber(F or 0)if bg>a then c,g=math.min(c or bg,bg),g+1 table.insert(aZ,string.format('%.0f',math.max(bg,ar)))table.insert(aZ,k[p])elseif F and not w(l)then C(l,'e')end end if bu and bh then g=bh-8e15 end if not bu and bh~=d*1024 then c=nil end end if not c then return{'lost',a,ao(l,m=='semaphore'and math.huge or d),''}end if ar>c then c,i=ar,math.max(i,ar)if#aZ>0 then redis.call('ZADD',j,unpack(aZ))end T(ARGV[5])y(ARGV[5])end return{'extended',a,c-a,g}",
  sha: ["abd2b9605dcfe071b13ba1d8574e414fe5acce4a", "aa3197031d4344f44b68c91c3e759fef872d25c4"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
