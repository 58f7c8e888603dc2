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
  lua: "local w=tonumber(ARGV[6])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + members + "\n" + semaphore + "\n" + permits + "\n" + queue + "\nlocal b,ah=ARGV[2],tonumber(ARGV[7])local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 if J('semaphore')then return{'kind',a,k}end local x=redis.call('ZMSCORE',j,'t'..l,'p'..l)local g,q=aQ(x[1])if F(l)or q then return{'closed',a}end if g>0 then return aH(b,g)or{'closed',a}end local d=B or tonumber(ARGV[4])if cp(d,T)then return{'short',a,d or 0}end local O=x[2]and x[2]-4.5e15 if ah>0 and O~=ah then return{'held',a,0,0,0,0,1,0}end local aj,K,af=0,{},{}if M>a then if ah<0 then aj=cu()else aj=redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',(O or 3.5e15)+4.5e15))end end if aj>0 and ah>=0 then K,af=bJ(8)if#K>0 then redis.call('ZREM',j,unpack(K))end end if aj==0 and d-bL()>=T then if O then K={'p'..l,'w'..l}elseif M<=a then K,af=bJ(math.max(T,25))end return bt(b,T,'semaphore',ARGV[3],ARGV[5],K,af)end local D,aA,c=0,math.max(a-h,0),nil if#K==0 then c=select(2,ce())if c then D=c-a end end local au=math.ceil(s/math.max(math.floor(d/T),1))local P=0 if ah>=0 then P=#K>0 and ai or bP(aj,au,aA,c and D or bV)ap=O and ap or math.max(ap+1,a)O=O or ap M=math.max(M,a+P+ARGV[8]*1000)if k~='semaphore'and k~='none'then redis.call('UNLINK',j)end cc(l,O,P,ARGV[8],unpack(af))G('semaphore')ad()z()end return{'held',a,D,aA,au,aj,P,O or 0}",
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "short permits#", "closed", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["520fe9bab82fc07f143d27ae528b7ea5438e1d57", "e9f91b6940306b8e0cf3ce105769438bfe7ef50f"];
