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
  lua: "local v=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local b,ai=ARGV[2],tonumber(ARGV[7])local l,U=b:sub(1,36),tonumber(b:sub(38))or 1 if L('semaphore')then return{'kind',a,k}end local w=redis.call('ZMSCORE',j,'t'..l,'p'..l)local g,p=aS(w[1])if G(l)or p then return{'closed',a}end if g>0 then return aI(b,g)or{'closed',a}end local d=D or tonumber(ARGV[4])if cw(d,U)then return{'short',a,d or 0}end local P=w[2]and w[2]-4.5e15 if ai>0 and P~=ai then return{'held',a,0,0,0,0,1,0}end local al,F,af=0,{},{}if N>a then if ai<0 then al=cB()else al=redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',(P or 3.5e15)+4.5e15))end end if al>0 and ai>=0 then F,af=bO(8,-a)if#F>0 then redis.call('ZREM',j,unpack(F))end end if al==0 and d-bQ()>=U then if P then F={'p'..l,'w'..l}elseif N<=a then F,af=bO(U+25,-1024*a)end return by(b,U,'semaphore',ARGV[3],ARGV[5],F,af)end local t,az,c=0,math.max(a-h,0),nil if#F==0 then c=select(2,ck())if c then t=c-a end end local aj=math.ceil(x/math.max(math.floor(d/U),1))local Q=0 if ai>=0 then Q=#F>0 and ah or bV(al,aj,az,c and t or cb)ar=P and ar or math.max(ar+1,a)P=P or ar N=math.max(N,a+Q+ARGV[8]*1000)if k~='semaphore'and k~='none'then redis.call('UNLINK',j)end ci(l,P,Q,ARGV[8],unpack(af))H('semaphore')ae()C()end return{'held',a,t,az,aj,al,Q,P or 0}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|short permits#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["5d27ad4059beeaa3d5b3ef56cc72814839c969b5", "b2db2806fac46fb8f3766a80caa42af30bf9c37a"];
