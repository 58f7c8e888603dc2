// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local b,s=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local m='fair'\n" + lock + queue + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local F=f[t]local h=q(t)if p and not h and j(m)then return V(t,s)end if not h and(p or F and l==o and not j(m))then G(t,p and'C'or'R',s)h='R'if not p and not next(f)then E(e-o)end er(t)end if T and not j(m)then r=math.min(r,math.max(K(),eu(),e))A()L()local n=S(F)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,M(t,o,nil,'unknown')}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["1e7b23e5aafe53cb0fa9d8aee000b9a6cde3cdd1", "7df57fa2d7f069ced763b0c3d5a1b076d8cd340b"];
