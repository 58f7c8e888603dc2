// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, permits, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local y=tonumber(ARGV[7])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\nlocal b,n=ARGV[2],ARGV[3]local k,ab=b:sub(1,36),tonumber(b:sub(38))or 1 local bZ=n=='semaphore'if N(n)then return{'kind',a,l}end local g,q=aO(redis.call('ZSCORE',i,'t'..k))if J(k)or q==3 or bZ and q then return{'closed',a}end if q then return{'granted',a,h,j-a,ab}end if g>0 then return aF(b,g)or{'closed',a}end K=math.max(K-math.max(a-h-s,0),0)local d=B or tonumber(ARGV[5])or 0 local bt=bK()local cB=d-bt if cB<ab then if bt==0 then return{'held',a,ARGV[6]*1000,math.max(math.min(a-h,ARGV[8]*1000),0),s,K}end local av,c=cd()local aZ=aO(redis.call('ZSCORE',i,'t'..av:sub(1,36)))local at=math.ceil(s/math.max(math.floor(bt/ab),1))return{'held',a,c-a,at-s+a-aZ,at,K}end K=math.max(K+math.min((ARGV[8]*1000-K)/8,3*s),0)if bZ then return bs(b,ab,n,ARGV[4],ARGV[6],bI(math.max(ab,25)))end if not B then ao=a end B=d-ab return bs(b,ab,n,ARGV[4],ARGV[6],br())",
  sha: ["5f69e785d2245a07d4ef2d702b7fec3c749282d5", "1994d2d7704ada5039a708bac3b9f029458b01cc"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "closed", "kind kind", "late"],
  fresh: true,
};
