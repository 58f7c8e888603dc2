// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, one, permits, queue, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: "local b=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local t,F=ARGV[2],tonumber(ARGV[7])local s,m=t:sub(1,36),tonumber(t:sub(38))or 1 if j('semaphore')then return{'kind',e,d}end local x=redis.call('ZMSCORE',i,'t'..s,'p'..s)local o,h=U(x[1])if q(s)or h then return{'closed',e}end if o>0 then return R(t,o)or{'closed',e}end local a=B or tonumber(ARGV[4])if ef(a,m)then return{'short',e,a or 0}end local c=x[2]and x[2]-4.5e15 if F>0 and c~=F then return{'held',e,0,0,0,0,1,0}end local N,p,u=0,{},{}if E>e then if F<0 then N=em()else N=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(c or 3.5e15)+4.5e15))end end if N>0 and F>=0 then p,u=et(8,-e)if#p>0 then redis.call('ZREM',i,unpack(p))end end if N==0 and a-ea()>=m then if c then p={'p'..s,'w'..s}elseif E<=e then p,u=et(m+25,-1024*e)end return V(t,m,'semaphore',ARGV[3],ARGV[5],p,u)end local k,O,n=0,math.max(e-l,0),nil if#p==0 then n=select(2,ed())if n then k=n-e end end local M=math.ceil(g/math.max(math.floor(a/m),1))local A=0 if F>=0 then A=#p>0 and H or eo(N,M,O,n and k or el)Q=c and Q or math.max(Q+1,e)c=c or Q E=math.max(E,e+A+ARGV[8]*1000)if d~='semaphore'and d~='none'then redis.call('UNLINK',i)end ei(s,c,A,ARGV[8],unpack(u))z('semaphore')L()y()end return{'held',e,k,O,M,N,A,c or 0}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|short permits#|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["2cece296f2405639ca216118c8aed5c15e4a852c", "42253ae7faeaa3f8e9a390a25492480d34f13e89"];
