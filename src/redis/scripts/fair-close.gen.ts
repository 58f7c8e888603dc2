// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local v,E=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local n='fair'\n" + lock + queue + "local b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local Y=o[b]local p=G(b)if r and not p and L(n)then return bc(b,E)end if not p and(r or Y and h==g and not L(n))then V(b,r and'C'or'R',E)p='R'if not r and not next(o)then cA(a-g)end ch(b)end if aU and not L(n)then i=math.min(i,math.max(au(),da(),a))H()ae()local S=aB(Y)if S then return S end end if r or p=='R'then return{'closed',a}end return{'lost',a,aw(b,g,nil,'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["32c0eda0e9a28fa8d93d62575457773abee7427a", "eb0d5c257a0cab2a026e817b13f31595c2b09e98"];
