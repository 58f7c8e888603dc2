// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, permits, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\nlocal b,n=ARGV[2],ARGV[3]local l,Q=b:sub(1,36),tonumber(b:sub(38))or 1 local bo=n=='semaphore'if G(n)then return{'kind',a,m}end local e,q=aN(redis.call('ZSCORE',j,'t'..l))if w(l)or q==3 or bo and q then return{'closed',a}end if q then return{'granted',a,h,i-a,Q}end if e>0 then return aE(b,e)or{'closed',a}end D=math.max(D-math.max(a-h-u,0),0)local c=x or tonumber(ARGV[5])if bo and cb(c,Q)then return{'short',a,c or 0}end c=c or 0 local aA=bB()local cq=c-aA if cq<Q then if aA==0 then return{'held',a,0,math.max(math.min(a-h,ARGV[8]*1000),0),u,D}end local cp,d=bS()local aT=aN(redis.call('ZSCORE',j,'t'..cp:sub(1,36)))local ax=math.ceil(u/math.max(math.floor(aA/Q),1))return{'held',a,d-a,ax-u+a-aT,ax,D}end D=math.max(D+math.min((ARGV[8]*1000-D)/8,3*u),0)if bo then return bn(b,Q,n,ARGV[4],ARGV[6],ARGV[7],bA(math.max(Q,25),ARGV[7]))end if not x then aj=a end x=c-Q return bn(b,Q,n,ARGV[4],ARGV[6],ARGV[7],bm())",
  sha: ["66e60025005140c7eee18b1a7a52e3c87f729ab1", "65d33d612f2c8ebad3829b2ae9d5130e6b85e096"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "short permits#", "closed", "kind kind", "late"],
  fresh: true,
};
