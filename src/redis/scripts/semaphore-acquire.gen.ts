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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\nlocal b,o=ARGV[2],ARGV[3]local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 local bC=o=='semaphore'if F(o)then return{'kind',a,m}end local f,q=aE(redis.call('ZSCORE',k,'t'..l))if v(l)or q==3 or bC and q then return{'closed',a}end if q then return{'granted',a,g,i-a,T}end if f>0 then return ax(b,f)or{'closed',a}end C=math.max(C-math.max(a-g-t,0),0)local e=B or tonumber(ARGV[5])or 0 local aq=bt()local cd=e-aq if cd<T then if aq==0 then return{'held',a,ARGV[6]*1000,math.max(math.min(a-g,ARGV[8]*1000),0),t,C}end local cc,c=bH()local bX=aE(redis.call('ZSCORE',k,'t'..cc:sub(1,36)))local aI=math.ceil(t/math.max(math.floor(aq/T),1))return{'held',a,c-a,aI-t+a-bX,aI,C}end C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*t),0)if bC then return bf(b,T,bs(math.max(T,25)),o,ARGV[4],ARGV[6],ARGV[7])end B=e-T return bf(b,T,be(),o,ARGV[4],ARGV[6],ARGV[7])",
  sha: ["4b6c2b0184961505838bde2d96a03c87a80653f3", "c168b2a595c6fb3067eca9c42f3691ce62d9c89b"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "closed", "kind kind", "late"],
  fresh: true,
};
