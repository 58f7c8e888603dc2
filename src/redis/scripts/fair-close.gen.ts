// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local m='fair'\n" + lock + queue + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local a=f[t]local h=j(t)if p and not h and q(m)then return V(t,c)end if not h and(p or a and l==o and not q(m))then F(t,p and'C'or'R',c)h='R'if not p and not next(f)then D(e-o)end er(t)end if T and not q(m)then r=math.min(r,math.max(K(),eu(),e))z()J()local n=S(a)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,N(t,o,nil,'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["8d24a6eafe50e24c540b022bcbe896bb860d96e3", "4dafb92248545166e870644250f2e6a91e3fa580"];
