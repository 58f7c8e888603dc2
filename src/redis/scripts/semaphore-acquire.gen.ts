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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\nlocal b,n=ARGV[2],ARGV[3]local l,V=b:sub(1,36),tonumber(b:sub(38))or 1 local bN=n=='semaphore'if G(n)then return{'kind',a,m}end local d,q=aN(redis.call('ZSCORE',j,'t'..l))if w(l)or q==3 or bN and q then return{'closed',a}end if q then return{'granted',a,h,i-a,V}end if d>0 then return aE(b,d)or{'closed',a}end D=math.max(D-math.max(a-h-u,0),0)local g=x or tonumber(ARGV[5])or 0 local aA=bA()local cp=g-aA if cp<V then if aA==0 then return{'held',a,ARGV[6]*1000,math.max(math.min(a-h,ARGV[8]*1000),0),u,D}end local co,c=bR()local aT=aN(redis.call('ZSCORE',j,'t'..co:sub(1,36)))local ax=math.ceil(u/math.max(math.floor(aA/V),1))return{'held',a,c-a,ax-u+a-aT,ax,D}end D=math.max(D+math.min((ARGV[8]*1000-D)/8,3*u),0)if bN then return bn(b,V,n,ARGV[4],ARGV[6],ARGV[7],bz(math.max(V,25),ARGV[7]))end if not x then aj=a end x=g-V return bn(b,V,n,ARGV[4],ARGV[6],ARGV[7],bm())",
  sha: ["33cd25e5603d9c00a18a58b5cc08cd16e8ee5b3e", "97bc50b88bab1bacabcf3e3b0b2025b057157ed6"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "closed", "kind kind", "late"],
  fresh: true,
};
