// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, one, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, note: string | number, reentrant: string | number, waited: string | number], LockAcquireReply> = {
  lua: "local b=tonumber(ARGV[4])local m='lock'\n" + clock + fresh + one + record + lock + waited + "local t,h=ARGV[2],ARGV[5]if z(m)then return{'kind',e,d}end if q(t)then return{'closed',e}end local y,a=J()local n=f[t]if not n then if a==0 then M(ARGV[8]*1000)l,A,K=math.max(l+1,e),h,ARGV[6]C()elseif h==''or h~=A then return{'held',e,y-e,math.max(e-l,0),x,D}elseif ARGV[7]=='0'then return{'not_reentrant',e,y-e}elseif a==64 then return{'too_many_holds',e}end a,n=a+1,e+ARGV[3]*1000 f[t],r=n,math.max(y,n)j()end return{'granted',e,l,n-e,a}",
  replies: "granted token remaining holds|held remaining age tenure queue|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["b3fd59bae15036c6b0320d3e6eeb9d3dc7cb6c8b", "14a9224313668fcd333855812040b3c69b8012ae"];
