// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local w,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local X=o[b]local q=F(b)if r and not q and J('once')then return bb(b,C)end if not q and(r or X and h==g and not J('once'))then if r and X then ac=ac-1 end U(b,r and'C'or'R',C)if not r and C>0 then U(b,'R',0)end q='R'end if aR and not J('once')then G()if ac==0 then i,H=0,''end local R=aB(X)if R then return R end end if r or q=='R'then return{'closed',a}end return{'lost',a,au(b,g)}",
  replies: ["closed", "lost reason"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["6c4ccfe4ffd36dc4256c02a3d564e6be5bd247bd", "dd8ce314cb55f15553705955c04e3cc9535201f3"];
