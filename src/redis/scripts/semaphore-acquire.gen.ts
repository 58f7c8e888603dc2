// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, one, permits, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local w=tonumber(ARGV[7])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + members + "\n" + semaphore + "\n" + permits + "\nlocal b,n=ARGV[2],ARGV[3]local l,ab=b:sub(1,36),tonumber(b:sub(38))or 1 local bZ=n=='semaphore'if J(n)then return{'kind',a,k}end local g,q=aP(redis.call('ZSCORE',j,'t'..l))if F(l)or q==3 or bZ and q then return{'closed',a}end if q then return{'granted',a,h,i-a,ab}end if g>0 then return aG(b,g)or{'closed',a}end L=math.max(L-math.max(a-h-s,0),0)local e=B or tonumber(ARGV[5])or 0 local bt=bK()local cB=e-bt if cB<ab then if bt==0 then return{'held',a,ARGV[6]*1000,math.max(math.min(a-h,ARGV[8]*1000),0),s,L}end local av,c=cd()local aZ=aP(redis.call('ZSCORE',j,'t'..av:sub(1,36)))local at=math.ceil(s/math.max(math.floor(bt/ab),1))return{'held',a,c-a,at-s+a-aZ,at,L}end L=math.max(L+math.min((ARGV[8]*1000-L)/8,3*s),0)if bZ then return bs(b,ab,n,ARGV[4],ARGV[6],bI(math.max(ab,25)))end if not B then ao=a end B=e-ab return bs(b,ab,n,ARGV[4],ARGV[6],br())",
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "closed", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["c9db7908f340f3b27da72814c2b9af377ceac2f1", "30f1c64d0d58e8ba7cb86f4857271499230d7598"];
