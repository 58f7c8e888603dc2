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
  lua: "local y=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local b,ah=ARGV[2],tonumber(ARGV[7])local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 if K('semaphore')then return{'kind',a,k}end local z=redis.call('ZMSCORE',j,'t'..l,'p'..l)local g,p=aQ(z[1])if F(l)or p then return{'closed',a}end if g>0 then return aH(b,g)or{'closed',a}end local d=C or tonumber(ARGV[4])if cr(d,T)then return{'short',a,d or 0}end local O=z[2]and z[2]-4.5e15 if ah>0 and O~=ah then return{'held',a,0,0,0,0,1,0}end local aj,L,af=0,{},{}if N>a then if ah<0 then aj=cw()else aj=redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',(O or 3.5e15)+4.5e15))end end if aj>0 and ah>=0 then L,af=bL(8,-a)if#L>0 then redis.call('ZREM',j,unpack(L))end end if aj==0 and d-bN()>=T then if O then L={'p'..l,'w'..l}elseif N<=a then L,af=bL(T+25,-1024*a)end return bu(b,T,'semaphore',ARGV[3],ARGV[5],L,af)end local E,az,c=0,math.max(a-h,0),nil if#L==0 then c=select(2,cg())if c then E=c-a end end local au=math.ceil(u/math.max(math.floor(d/T),1))local P=0 if ah>=0 then P=#L>0 and ai or bR(aj,au,az,c and E or bX)ap=O and ap or math.max(ap+1,a)O=O or ap N=math.max(N,a+P+ARGV[8]*1000)if k~='semaphore'and k~='none'then redis.call('UNLINK',j)end ce(l,O,P,ARGV[8],unpack(af))H('semaphore')ad()B()end return{'held',a,E,az,au,aj,P,O or 0}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|short permits#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["bf9b4dc5b6f0f6d9b7d28cfb4f852d0b8034f770", "4bf43d189c62ce65c8f44afb99714064cad1e432"];
