// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local y,D=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local n='fair'\n" + lock + queue + "local b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local Y=o[b]local p=F(b)if r and not p and K(n)then return bb(b,D)end if not p and(r or Y and h==g and not K(n))then U(b,r and'C'or'R',D)p='R'if not r and not next(o)then cv(a-g)end cd(b)end if aS and not K(n)then i=math.min(i,math.max(as(),cU(),a))H()ad()local R=aB(Y)if R then return R end end if r or p=='R'then return{'closed',a}end return{'lost',a,av(b,g,nil,'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["3f6f143a7517e8e16070dd42c193686af0332d34", "d5bb63c0f9f9cd003e462f421767bf9622113101"];
