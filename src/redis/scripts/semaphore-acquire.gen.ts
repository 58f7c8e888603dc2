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
  lua: "local w=tonumber(ARGV[7])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + "local b,n=ARGV[2],ARGV[3]local l,V=b:sub(1,36),tonumber(b:sub(38))or 1 local bD=n=='semaphore'if N(n)then return{'kind',a,k}end local g,p=aR(redis.call('ZSCORE',j,'t'..l))if I(l)or p==3 or bD and p then return{'closed',a}end if p then return{'granted',a,h,i-a,V}end if g>0 then return aI(b,g)or{'closed',a}end P=math.max(P-math.max(a-h-y,0),0)local d=F or tonumber(ARGV[5])if bD and cy(d,V)then return{'short',a,d or 0}end d=d or 0 local al=bS()local cN=d-al if cN<V then if al==0 then return{'held',a,0,math.max(math.min(a-h,ARGV[8]*1000),0),y,P}end local aU,c=cm()local ba=aR(redis.call('ZSCORE',j,'t'..aU:sub(1,36)))local ak=math.ceil(y/math.max(math.floor(al/V),1))return{'held',a,c-a,ak-y+a-ba,ak,P}end P=math.max(P+math.min((ARGV[8]*1000-P)/8,3*y),0)if bD then return bA(b,V,n,ARGV[4],ARGV[6],bQ(V+25,-1024*a))end if not F then as=a end F=d-V return bA(b,V,n,ARGV[4],ARGV[6],bz())",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|short permits#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["f201094adbabb3270efe7a5e84203602904ac29b", "6db829d48dd19f8c73acc2da7a224ae58b7e21aa"];
