// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local b,s=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + one + record + ending + vacate + elsewhere + lock + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local F=f[t]local h=q(t)if p and not h and j(m)then return V(t,s)end if not h and(p or F and l==o and not j(m))then G(t,p and'C'or'R',s)h='R'if not p and not next(f)then E(e-o)end end if T and not j(m)then r=math.min(r,math.max(K(),e))A()local n=S(F)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,M(t,o,nil,'unknown')}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["eba14085ba643914e8fd77d24e1d1e18b42466f0", "843cff8c8327859bc9f7846b1137793d6ded1325"];
