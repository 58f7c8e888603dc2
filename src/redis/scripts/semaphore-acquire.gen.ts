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
  lua: "local v=tonumber(ARGV[7])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + "local b,n=ARGV[2],ARGV[3]local l,U=b:sub(1,36),tonumber(b:sub(38))or 1 local bB=n=='semaphore'if L(n)then return{'kind',a,k}end local g,p=aS(redis.call('ZSCORE',j,'t'..l))if G(l)or p==3 or bB and p then return{'closed',a}end if p then return{'granted',a,h,i-a,U}end if g>0 then return aI(b,g)or{'closed',a}end M=math.max(M-math.max(a-h-x,0),0)local d=D or tonumber(ARGV[5])if bB and cw(d,U)then return{'short',a,d or 0}end d=d or 0 local ak=bQ()local cL=d-ak if cL<U then if ak==0 then return{'held',a,0,math.max(math.min(a-h,ARGV[8]*1000),0),x,M}end local ax,c=ck()local ba=aS(redis.call('ZSCORE',j,'t'..ax:sub(1,36)))local aj=math.ceil(x/math.max(math.floor(ak/U),1))return{'held',a,c-a,aj-x+a-ba,aj,M}end M=math.max(M+math.min((ARGV[8]*1000-M)/8,3*x),0)if bB then return by(b,U,n,ARGV[4],ARGV[6],bO(U+25,-1024*a))end if not D then ar=a end D=d-U return by(b,U,n,ARGV[4],ARGV[6],bx())",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|short permits#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["1cf3d968f1d4078503df1d2f385748cd0e2e8f3c", "d06d25721a8f65e8a32cffbe063e38ec25339f3e"];
