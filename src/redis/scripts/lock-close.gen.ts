// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + one + record + ending + vacate + elsewhere + lock + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local a=f[t]local h=q(t)if p and not h and z(m)then return V(t,c)end if not h and(p or a and l==o and not z(m))then E(t,p and'C'or'R',c)h='R'if not p and not next(f)then L(e-o)end end if T and not z(m)then r=math.min(r,math.max(J(),e))C()local n=S(a)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,P(t,o,nil,'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["566ca90456d7ff99ddb4a32183ec5c25dcef6fd5", "b70e6df9aaa7139e685bd49f537642b21c82caef"];
