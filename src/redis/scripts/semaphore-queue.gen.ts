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
  lua: "local w=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local b,aj=ARGV[2],tonumber(ARGV[7])local l,V=b:sub(1,36),tonumber(b:sub(38))or 1 if N('semaphore')then return{'kind',a,k}end local x=redis.call('ZMSCORE',j,'t'..l,'p'..l)local g,p=aR(x[1])if I(l)or p then return{'closed',a}end if g>0 then return aI(b,g)or{'closed',a}end local d=F or tonumber(ARGV[4])if cy(d,V)then return{'short',a,d or 0}end local S=x[2]and x[2]-4.5e15 if aj>0 and S~=aj then return{'held',a,0,0,0,0,1,0}end local am,H,ag=0,{},{}if Q>a then if aj<0 then am=cD()else am=redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',(S or 3.5e15)+4.5e15))end end if am>0 and aj>=0 then H,ag=bQ(8,-a)if#H>0 then redis.call('ZREM',j,unpack(H))end end if am==0 and d-bS()>=V then if S then H={'p'..l,'w'..l}elseif Q<=a then H,ag=bQ(V+25,-1024*a)end return bA(b,V,'semaphore',ARGV[3],ARGV[5],H,ag)end local t,ay,c=0,math.max(a-h,0),nil if#H==0 then c=select(2,cm())if c then t=c-a end end local ak=math.ceil(y/math.max(math.floor(d/V),1))local T=0 if aj>=0 then T=#H>0 and ai or bX(am,ak,ay,c and t or cd)as=S and as or math.max(as+1,a)S=S or as Q=math.max(Q,a+T+ARGV[8]*1000)if k~='semaphore'and k~='none'then redis.call('UNLINK',j)end ck(l,S,T,ARGV[8],unpack(ag))K('semaphore')af()D()end return{'held',a,t,ay,ak,am,T,S or 0}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|short permits#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["28be62d2937d8876680fdf9a4975b83b9f5fdad0", "54226dd6c6808e836411992a79a1d0b449b5c4bb"];
