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
  lua: "local w=tonumber(ARGV[7])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + members + "\n" + semaphore + "\n" + permits + "\nlocal b,n=ARGV[2],ARGV[3]local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 local bw=n=='semaphore'if J(n)then return{'kind',a,k}end local g,q=aQ(redis.call('ZSCORE',j,'t'..l))if F(l)or q==3 or bw and q then return{'closed',a}end if q then return{'granted',a,h,i-a,T}end if g>0 then return aH(b,g)or{'closed',a}end L=math.max(L-math.max(a-h-s,0),0)local d=B or tonumber(ARGV[5])if bw and cp(d,T)then return{'short',a,d or 0}end d=d or 0 local ax=bL()local cD=d-ax if cD<T then if ax==0 then return{'held',a,0,math.max(math.min(a-h,ARGV[8]*1000),0),s,L}end local aw,c=ce()local ba=aQ(redis.call('ZSCORE',j,'t'..aw:sub(1,36)))local au=math.ceil(s/math.max(math.floor(ax/T),1))return{'held',a,c-a,au-s+a-ba,au,L}end L=math.max(L+math.min((ARGV[8]*1000-L)/8,3*s),0)if bw then return bt(b,T,n,ARGV[4],ARGV[6],bJ(math.max(T,25)))end if not B then ap=a end B=d-T return bt(b,T,n,ARGV[4],ARGV[6],bs())",
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "short permits#", "closed", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["380dff3b69a2f5d0a1e80a3af7d35835ba279c4a", "64cda32120264e466d631be9e86eec7bd764bd7b"];
