// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local b,g=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + one + record + ending + vacate + elsewhere + lock + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local G=f[t]local h=q(t)if p and not h and z(m)then return W(t,g)end if not h and(p or G and l==o and not z(m))then F(t,p and'C'or'R',g)h='R'if not p and not next(f)then D(e-o)end end if U and not z(m)then r=math.min(r,math.max(L(),e))A()local n=T(G)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,O(t,o,nil,'unknown')}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["65b9a9dd2c1f132a3b4edac9d39da791281f3798", "3b586171871ff14377f2c7a0b931df450dbe72cd"];
