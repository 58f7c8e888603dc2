// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local E,A=tonumber(ARGV[3]),tonumber(ARGV[4])local u='lock'\n" + clock + one + record + ending + vacate + elsewhere + lock + "local i,o=ARGV[1],tonumber(ARGV[2])local y=o==0 local a=f[i]local h=W(i)if y and not h and T(u)then return I(i,A)end if not h and(y or a and r==o and not T(u))then B(i,y and'C'or'R',A)h='R'if not y and not next(f)then R(e-o)end end if J and not T(u)then l=math.min(l,math.max(F(),e))K()local t=C(a)if t then return t end end if y or h=='R'then return{'closed',e}end return{'lost',e,D(i,o,nil,'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6dc1351bc353d44e5c193cbeeaa1330a13552377", "1252f8ac0ec62e47fe20697e7fde60a12c77eefa"];
