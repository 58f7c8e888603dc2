// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])local l,ak=b:sub(1,36),a+ARGV[4]*1000 local c,e,aR=n[l],0,{}if c then e=select(2,ae())if g~=f then c=nil end if c and ak>c then n[l]=ak end elseif g>=f and(m~='rw'or z:find(' '..ARGV[3]..' ',1,true))then local k=aQ(b)local bp=m~='semaphore'local u=redis.call('ZMSCORE',j,bp and'o'..b:sub(37)or't'..l,unpack(k))local aZ=tonumber(table.remove(u,1)or nil)for p,D in ipairs(u)do local aX=tonumber(D or 0)if aX>a then c,e=math.min(c or aX,aX),e+1 table.insert(aR,string.format('%.0f',math.max(aX,ak)))table.insert(aR,k[p])elseif D and not v(l)then A(l,'e')end end if bp and aZ then e=aZ-8e15 end if not bp and aZ~=f*1024 then c=nil end end if not c then return{'lost',a,ah(l,m=='semaphore'and math.huge or f),''}end if ak>c then c,i=ak,math.max(i,ak)if#aR>0 then redis.call('ZADD',j,unpack(aR))end S(ARGV[5])w(ARGV[5])end return{'extended',a,c-a,e}",
  sha: ["9e1031c97419a2e7b38787ff57b1a861cb20ac1d", "e03211e9d9f078a06089e94b48a27180471fbe00"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
