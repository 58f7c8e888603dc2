// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local b,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local m='fair'\n" + lock + fair + queue + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local a=f[t]local h=z(t)if p and not h and A(m)then return W(t,C)end if not h and(p or a and l==o and not A(m))then F(t,p and'C'or'R',C)h='R'if p then ei(t)u=eu()elseif not next(f)then s(e-o)end end if U and not A(m)then r=math.min(r,math.max(J(),u,e))P()local n=S(a)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,N(t,o,nil,'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["b32cab86b30ff0d7e346f21c54701c2510bbfb30", "7c00b0d69c1d3113fd712f616300fa4eb45aed00"];
