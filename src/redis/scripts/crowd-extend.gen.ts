// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\nlocal b,d=ARGV[2],tonumber(ARGV[3])local l,ar=b:sub(1,36),a+ARGV[4]*1000 local c,g,ba=o[l],0,{}if c then g=select(2,al())if h~=d then c=nil end if c and ar>c then o[l]=ar end elseif h>=d and(m=='semaphore'or m=='rw'and B:find(' '..ARGV[3]..' ',1,true))then local k=aZ(b)local bw=m~='semaphore'local t=redis.call('ZMSCORE',j,bw and'o'..b:sub(37)or't'..l,unpack(k))local bi=tonumber(table.remove(t,1)or nil)for p,F in ipairs(t)do local bh=tonumber(F or 0)if bh>a then c,g=math.min(c or bh,bh),g+1 table.insert(ba,string.format('%.0f',math.max(bh,ar)))table.insert(ba,k[p])elseif F and not w(l)then C(l,'e')end end if bw and bi then g=bi-8e15 end if not bw and bi~=d*1024 then c=nil end end if not c then return{'lost',a,ao(l,m=='semaphore'and math.huge or d),''}end if ar>c then c,i=ar,math.max(i,ar)if#ba>0 then redis.call('ZADD',j,unpack(ba))end U(ARGV[5])y(ARGV[5])end return{'extended',a,c-a,g}",
  sha: ["d6a67e6ffdd3e8ff35b0eb94df1cac894ecba140", "3dbafb4e3e741f8a6e5d88b7c6ddc490cdad82c6"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
