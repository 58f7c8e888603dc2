// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, note: string | number, reentrant: string | number, waited: string | number, asked: string | number], LockAcquireReply> = {
  lua: "local b=tonumber(ARGV[4])local m='lock'local t,h=ARGV[2],ARGV[5]local O=KEYS[1]local G=redis.call('GET',O)local i,K=ARGV[1]+0,ARGV[9]+0 local s,n,o,c=(G or''):match('^lock 1 (%d+) %S+ %S* [^:]+:(%d+), .- (%d+) (%d+)$')if K<i and(n or 0)-i>0 and h==''and not G:find(t:sub(25),1,true)then local e=-K return{'held',e,n-K,K-s,o+0,c+0}end\n" + clock + fresh + record + lock + waited + "if z(m)then return{'kind',e,d}end if q(t)then return{'closed',e}end local y,a=J()local n=f[t]if not n then if a==0 then M(ARGV[8]*1000)l,A,R=math.max(l+1,e),h,ARGV[6]C()elseif h==''or h~=A then return{'held',e,y-e,math.max(e-l,0),x,D}elseif ARGV[7]=='0'then return{'not_reentrant',e,y-e}elseif a==64 then return{'too_many_holds',e}end a,n=a+1,e+ARGV[3]*1000 f[t],r=n,math.max(y,n)j()end return{'granted',e,l,n-e,a}",
  replies: "granted token remaining holds|held remaining age tenure queue|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["d894269dc14d82c7734d5d8c7d7175626bae90b6", "8630ce5f4502f49edcf5cf2a36cb824c7278d530"];
