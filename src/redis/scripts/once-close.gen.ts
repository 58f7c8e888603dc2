// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local w,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local Y=o[b]local q=F(b)if r and not q and J('once')then return bc(b,C)end if not q and(r or Y and h==g and not J('once'))then if r and Y then ac=ac-1 end U(b,r and'C'or'R',C)if not r and C>0 then U(b,'R',0)end q='R'end if aS and not J('once')then G()if ac==0 then i,H=0,''end local R=aC(Y)if R then return R end end if r or q=='R'then return{'closed',a}end return{'lost',a,av(b,g)}",
  replies: ["closed", "lost reason"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["bdadf1b140a278933fd5548a97c295b301b52b7f", "1d593ab97e26b22a2fb88fdbda2a2550055b1fd7"];
