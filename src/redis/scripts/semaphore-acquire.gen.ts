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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\nlocal b,o=ARGV[2],ARGV[3]local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 local bB=o=='semaphore'if N(o)then return{'kind',a,m}end local f,q=aE(redis.call('ZSCORE',j,'t'..l))if v(l)or q==3 or bB and q then return{'closed',a}end if q then return{'granted',a,g,i-a,T}end if f>0 then return ax(b,f)or{'closed',a}end C=math.max(C-math.max(a-g-t,0),0)local e=B or tonumber(ARGV[5])or 0 local aq=bs()local cc=e-aq if cc<T then if aq==0 then return{'held',a,ARGV[6]*1000,math.max(math.min(a-g,ARGV[8]*1000),0),t,C}end local cb,c=bG()local bW=aE(redis.call('ZSCORE',j,'t'..cb:sub(1,36)))local aI=math.ceil(t/math.max(math.floor(aq/T),1))return{'held',a,c-a,aI-t+a-bW,aI,C}end C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*t),0)if bB then return bf(b,T,br(math.max(T,25)),o,ARGV[4],ARGV[6],ARGV[7])end B=e-T return bf(b,T,be(),o,ARGV[4],ARGV[6],ARGV[7])",
  sha: ["bf03d0fb2ce5c7eb464b44b30f21458aa9f70b0b", "087c871204d33300797419b25b2048d12626b0cf"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "closed", "kind kind", "late"],
  fresh: true,
};
