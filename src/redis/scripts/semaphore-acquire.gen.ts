// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, one, permits, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local y=tonumber(ARGV[7])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + "local b,n=ARGV[2],ARGV[3]local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 local bx=n=='semaphore'if K(n)then return{'kind',a,k}end local g,p=aQ(redis.call('ZSCORE',j,'t'..l))if F(l)or p==3 or bx and p then return{'closed',a}end if p then return{'granted',a,h,i-a,T}end if g>0 then return aH(b,g)or{'closed',a}end M=math.max(M-math.max(a-h-u,0),0)local d=C or tonumber(ARGV[5])if bx and cr(d,T)then return{'short',a,d or 0}end d=d or 0 local ax=bN()local cF=d-ax if cF<T then if ax==0 then return{'held',a,0,math.max(math.min(a-h,ARGV[8]*1000),0),u,M}end local aw,c=cg()local aZ=aQ(redis.call('ZSCORE',j,'t'..aw:sub(1,36)))local au=math.ceil(u/math.max(math.floor(ax/T),1))return{'held',a,c-a,au-u+a-aZ,au,M}end M=math.max(M+math.min((ARGV[8]*1000-M)/8,3*u),0)if bx then return bu(b,T,n,ARGV[4],ARGV[6],bL(T+25,-1024*a))end if not C then ap=a end C=d-T return bu(b,T,n,ARGV[4],ARGV[6],bs())",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|short permits#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["642077aab243b6895379888ecc7891fc3cf3af98", "c258399def742ec33407cc7960bfa74e108536d8"];
