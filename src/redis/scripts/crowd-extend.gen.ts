// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])local l,ak=b:sub(1,36),a+ARGV[4]*1000 local c,e,aS=n[l],0,{}if c then e=select(2,ae())if g~=f then c=nil end if c and ak>c then n[l]=ak end elseif g>=f and(m=='semaphore'or m=='rw'and z:find(' '..ARGV[3]..' ',1,true))then local j=aR(b)local bp=m~='semaphore'local u=redis.call('ZMSCORE',k,bp and'o'..b:sub(37)or't'..l,unpack(j))local ba=tonumber(table.remove(u,1)or nil)for p,E in ipairs(u)do local aY=tonumber(E or 0)if aY>a then c,e=math.min(c or aY,aY),e+1 table.insert(aS,string.format('%.0f',math.max(aY,ak)))table.insert(aS,j[p])elseif E and not v(l)then A(l,'e')end end if bp and ba then e=ba-8e15 end if not bp and ba~=f*1024 then c=nil end end if not c then return{'lost',a,ah(l,m=='semaphore'and math.huge or f),''}end if ak>c then c,i=ak,math.max(i,ak)if#aS>0 then redis.call('ZADD',k,unpack(aS))end S(ARGV[5])w(ARGV[5])end return{'extended',a,c-a,e}",
  sha: ["5121bded92cd654543f9db967680535456c2da58", "c486561edc0604e6dd11a050aa078b95379fbfc8"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
