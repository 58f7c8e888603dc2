// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, permits, queue, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: "local y=tonumber(ARGV[6])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\n" + queue + "\nlocal b,ah=ARGV[2],tonumber(ARGV[7])local k,ab=b:sub(1,36),tonumber(b:sub(38))or 1 if N('semaphore')then return{'kind',a,l}end local w=redis.call('ZMSCORE',i,'t'..k,'p'..k)local g,q=aO(w[1])if J(k)or q then return{'closed',a}end if g>0 then return aF(b,g)or{'closed',a}end local O=w[2]and w[2]-4.5e15 if ah>0 and O~=ah then return{'held',a,0,0,0,0,1,0}end local d,aj,I,af=B or tonumber(ARGV[4])or 0,0,{},{}if L>a then if ah<0 then aj=cr()else aj=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(O or 3.5e15)+4.5e15))end end if aj>0 and ah>=0 then I,af=bI(8)if#I>0 then redis.call('ZREM',i,unpack(I))end end if aj==0 and d-bK()>=ab then if O then I={'p'..k,'w'..k}elseif L<=a then I,af=bI(math.max(ab,25))end return bs(b,ab,'semaphore',ARGV[3],ARGV[5],I,af)end local D,az=ARGV[5]*1000,math.max(a-h,0)if#I==0 then local T,c=cd()if c then D=c-a end end local at=math.ceil(s/math.max(math.floor(d/ab),1))local P=0 if ah>=0 then P=#I>0 and ai or bO(aj,at,az,D)ao=O and ao or math.max(ao+1,a)O=O or ao L=math.max(L,a+P+ARGV[8]*1000)if l~='semaphore'and l~='none'then redis.call('UNLINK',i)end cb(k,O,P,ARGV[8],unpack(af))F('semaphore')ad()z()end return{'held',a,D,az,at,aj,P,O or 0}",
  sha: ["805836fbfd03d6ab9f0fa374e1a2e7ec59cc3915", "1c9f80f9f42469ca3010acd34a0e7e76cfe47f90"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "closed", "kind kind", "late"],
  fresh: true,
};
