// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local E,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local u='fair'\n" + lock + fair + queue + "local i,o=ARGV[1],tonumber(ARGV[2])local y=o==0 local a=f[i]local h=W(i)if y and not h and T(u)then return I(i,A)end if not h and(y or a and r==o and not T(u))then B(i,y and'C'or'R',A)h='R'if y then el(i)O=ey()elseif not next(f)then g=g+(math.abs(e-o-x)-g)/8 R(e-o)end end if J and not T(u)then l=math.min(l,math.max(F(),O,e))k()local t=C(a)if t then return t end end if y or h=='R'then return{'closed',e}end return{'lost',e,D(i,o,nil,'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["a04d53b2945713747440b7f3efc48b68679a5357", "488ac75ecdf6b31c989269a655a6aa5c0661432e"];
