// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local E,A=tonumber(ARGV[3]),tonumber(ARGV[4])local u='lock'\n" + clock + one + record + ending + vacate + elsewhere + lock + "local i,o=ARGV[1],tonumber(ARGV[2])local O=o==0 local a=f[i]local y=W(i)if O and not y and S(u)then return I(i,A)end if not y and(O or a and r==o and not S(u))then B(i,O and'C'or'R',A)y='R'if not O and not next(f)then R(e-o)end end if J and not S(u)then l=math.min(l,math.max(F(),e))K()local t=C(a)if t then return t end end if O or y=='R'then return{'closed',e}end return{'lost',e,D(i,o,nil,'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["0d52c8d7da522be394f1a61a4550739080c48bb3", "f784faedb7622fb0f0e5bd34605c847ddfddcac4"];
