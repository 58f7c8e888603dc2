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
  lua: "local k=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local t,H=ARGV[2],tonumber(ARGV[7])local s,m=t:sub(1,36),tonumber(t:sub(38))or 1 if B('semaphore')then return{'kind',e,d}end local w=redis.call('ZMSCORE',i,'t'..s,'p'..s)local l,h=U(w[1])if j(s)or h then return{'closed',e}end if l>0 then return R(t,l)or{'closed',e}end local a=q or tonumber(ARGV[4])if ef(a,m)then return{'short',e,a or 0}end local c=w[2]and w[2]-4.5e15 if H>0 and c~=H then return{'held',e,0,0,0,0,1,0}end local N,p,u=0,{},{}if E>e then if H<0 then N=em()else N=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(c or 3.5e15)+4.5e15))end end if N>0 and H>=0 then p,u=W(8,-e)if#p>0 then redis.call('ZREM',i,unpack(p))end end if N==0 and a-ea()>=m then if c then p={'p'..s,'w'..s}elseif E<=e then p,u=W(m+25,-1024*e)end return S(t,m,'semaphore',ARGV[3],ARGV[5],p,u)end local b,O,n=0,math.max(e-o,0),nil if#p==0 then n=select(2,ed())if n then b=n-e end end local L=math.ceil(y/math.max(math.floor(a/m),1))local C=0 if H>=0 then C=#p>0 and G or eo(N,L,O,n and b or el)Q=c and Q or math.max(Q+1,e)c=c or Q E=math.max(E,e+C+ARGV[8]*1000)if d~='semaphore'and d~='none'then redis.call('UNLINK',i)end ei(s,c,C,ARGV[8],unpack(u))z('semaphore')K()v()end return{'held',e,b,O,L,N,C,c or 0}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|short permits#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["ae1278e019ea88d67fa0196a37a34df30f3773f1", "c54f7c7b52405340b7db945b364a7aab711e2bae"];
