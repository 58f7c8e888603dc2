// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local E,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local u='fair'\n" + lock + fair + queue + "local i,o=ARGV[1],tonumber(ARGV[2])local O=o==0 local a=f[i]local y=W(i)if O and not y and S(u)then return I(i,A)end if not y and(O or a and r==o and not S(u))then B(i,O and'C'or'R',A)y='R'if O then el(i)h=ey()elseif not next(f)then g=g+(math.abs(e-o-x)-g)/8 R(e-o)end end if J and not S(u)then l=math.min(l,math.max(F(),h,e))k()local t=C(a)if t then return t end end if O or y=='R'then return{'closed',e}end return{'lost',e,D(i,o,nil,'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6421b360b29d7218f1645f635a8d94c12d14a742", "01b0791172bea09bea4535d8c11bb75a26db664b"];
