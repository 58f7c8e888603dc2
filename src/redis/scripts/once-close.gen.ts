// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local w,O=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local Z=o[b]local p=I(b)if r and not p and N('once')then return bc(b,O)end if not p and(r or Z and h==g and not N('once'))then if r and Z then ad=ad-1 end W(b,r and'C'or'R',O)if not r and O>0 then W(b,'R',0)end p='R'end if aT and not N('once')then K()if ad==0 then i,G=0,''end local U=aA(Z)if U then return U end end if r or p=='R'then return{'closed',a}end return{'lost',a,aw(b,g)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["4cec7725a899e9da36db602801691bad5ea6c970", "5fd406df43cd1109dd62f724a87105e3ab084dbb"];
