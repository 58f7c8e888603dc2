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
  lua: "local b=tonumber(ARGV[7])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + "local t,c=ARGV[2],ARGV[3]local s,m=t:sub(1,36),tonumber(t:sub(38))or 1 local n=c=='semaphore'if j(c)then return{'kind',e,d}end local o,h=U(redis.call('ZSCORE',i,'t'..s))if q(s)or h==3 or n and h then return{'closed',e}end if h then return{'granted',e,l,r-e,m}end if o>0 then return R(t,o)or{'closed',e}end D=math.max(D-math.max(e-l-g,0),0)local a=B or tonumber(ARGV[5])if n and ef(a,m)then return{'short',e,a or 0}end a=a or 0 local k=ea()local p=a-k if p<m then if k==0 then return{'held',e,0,math.max(math.min(e-l,ARGV[8]*1000),0),g,D}end local a,n=ed()local t=U(redis.call('ZSCORE',i,'t'..a:sub(1,36)))local M=math.ceil(g/math.max(math.floor(k/m),1))return{'held',e,n-e,M-g+e-t,M,D}end D=math.max(D+math.min((ARGV[8]*1000-D)/8,3*g),0)if n then return V(t,m,c,ARGV[4],ARGV[6],et(m+25,-1024*e))end if not B then Q=e end B=a-m return V(t,m,c,ARGV[4],ARGV[6],ee())",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|short permits#|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["1a8c34293ecc87a6cf531b8c73a9809b177e0529", "7e382ca6e2fd71332928d7b3cf0f1f931a211fe7"];
