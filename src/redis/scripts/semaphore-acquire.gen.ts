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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\nlocal b,n=ARGV[2],ARGV[3]local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 local bC=n=='semaphore'if F(n)then return{'kind',a,m}end local f,q=aH(redis.call('ZSCORE',j,'t'..l))if v(l)or q==3 or bC and q then return{'closed',a}end if q then return{'granted',a,g,i-a,T}end if f>0 then return az(b,f)or{'closed',a}end C=math.max(C-math.max(a-g-u,0),0)local e=w or tonumber(ARGV[5])or 0 local at=bu()local cd=e-at if cd<T then if at==0 then return{'held',a,ARGV[6]*1000,math.max(math.min(a-g,ARGV[8]*1000),0),u,C}end local cc,c=bH()local bX=aH(redis.call('ZSCORE',j,'t'..cc:sub(1,36)))local ar=math.ceil(u/math.max(math.floor(at/T),1))return{'held',a,c-a,ar-u+a-bX,ar,C}end C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*u),0)if bC then return bh(b,T,n,ARGV[4],ARGV[6],ARGV[7],bt(math.max(T,25),ARGV[7]))end if not w then af=a end w=e-T return bh(b,T,n,ARGV[4],ARGV[6],ARGV[7],bg())",
  sha: ["4bf6549f35b5222e91ca6327de05b349117d36b8", "fab4c81c014ce55a6a77164a0c5759b88e9cb59b"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "closed", "kind kind", "late"],
  fresh: true,
};
