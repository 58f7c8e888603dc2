// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local w,O=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local n='fair'\n" + lock + queue + "local b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local Z=o[b]local p=I(b)if r and not p and N(n)then return bc(b,O)end if not p and(r or Z and h==g and not N(n))then W(b,r and'C'or'R',O)p='R'if not r and not next(o)then cC(a-g)end cj(b)end if aT and not N(n)then i=math.min(i,math.max(au(),dc(),a))K()af()local U=aA(Z)if U then return U end end if r or p=='R'then return{'closed',a}end return{'lost',a,aw(b,g,nil,'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["c65ec4d90d240c62e9af662b0bca89d195078627", "5b158b887c4fa86b15c8b32f804cd9fb57f541bd"];
