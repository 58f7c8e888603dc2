// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\nlocal b,e=ARGV[2],tonumber(ARGV[3])local l,ar=b:sub(1,36),a+ARGV[4]*1000 local d,c,ba=o[l],0,{}if d then c=select(2,al())if h~=e then d=nil end if d and ar>d then o[l]=ar end elseif h>=e and(m=='semaphore'or m=='rw'and B:find(' '..ARGV[3]..' ',1,true))then local k=aZ(b)local bx=m~='semaphore'local t=redis.call('ZMSCORE',j,bx and'o'..b:sub(37)or't'..l,unpack(k))local bi=tonumber(table.remove(t,1)or nil)for p,F in ipairs(t)do local bh=tonumber(F or 0)if bh>a then d,c=math.min(d or bh,bh),c+1 table.insert(ba,string.format('%.0f',math.max(bh,ar)))table.insert(ba,k[p])elseif F and not w(l)then C(l,'e')end end if bx and bi then c=bi-8e15 end if not bx and bi~=e*1024 then d=nil end end if not d then return{'lost',a,ao(l,m=='semaphore'and math.huge or e),''}end if ar>d then d,i=ar,math.max(i,ar)if#ba>0 then redis.call('ZADD',j,unpack(ba))end V(ARGV[5])y(ARGV[5])end return{'extended',a,d-a,c}",
  sha: ["159acf9c38dc65ddcbc52bd9bf0fdae4a0bfc54c", "29e5de2b5ebf37e280f9168bedb368bc1516afed"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
