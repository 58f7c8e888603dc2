// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local v,E=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local Y=o[b]local p=G(b)if r and not p and L('once')then return bc(b,E)end if not p and(r or Y and h==g and not L('once'))then if r and Y then ac=ac-1 end V(b,r and'C'or'R',E)if not r and E>0 then V(b,'R',0)end p='R'end if aU and not L('once')then H()if ac==0 then i,I=0,''end local S=aB(Y)if S then return S end end if r or p=='R'then return{'closed',a}end return{'lost',a,aw(b,g)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["8f857f7636e6290caae08bdbf86d9f45a8320f5c", "da476b0bc758965be5e44e613625c12a975d99d5"];
