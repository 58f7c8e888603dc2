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
  lua: "local E=tonumber(ARGV[7])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + "local i,u=ARGV[2],ARGV[3]local s,n=i:sub(1,36),tonumber(i:match('^%d+',38))or 1 local t=u=='semaphore'if S(u)then return{'kind',e,m}end local o,y=w(redis.call('ZSCORE',d,'t'..s))if W(s)or y==3 or t and y then return{'closed',e}end if y then return{'granted',e,r,l-e,n}end if o>0 then return I(i,o)or{'closed',e}end p=math.max(p-math.max(e-r-x,0),0)local a=G or tonumber(ARGV[5])if t and ef(a,n)then return{'short',e,a or 0}end a=a or 0 local A=eo()local O=a-A if O<n then if A==0 then return{'held',e,0,math.max(math.min(e-r,ARGV[8]*1000),0),x,p}end local i,t=ed()local s=w(redis.call('ZSCORE',d,'t'..i:sub(1,36)))local T=math.ceil(x/math.max(math.floor(A/n),1))return{'held',e,t-e,T-x+e-s,T,p}end p=math.max(p+math.min((ARGV[8]*1000-p)/8,3*x),0)if t then return C(i,n,u,ARGV[4],ARGV[6],et(n+25,-1024*e))end if not G then H,h=e,0 end G,h=a-n,h+n return C(i,n,u,ARGV[4],ARGV[6],ei())",
  replies: "granted token remaining holds|held remaining age tenure queue|short permits|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["60fbc4f57db88e63a19678a26a5284760f9171c7", "aaa102d3ed4e0e134c1ce5d30375f609cc034e2c"];
