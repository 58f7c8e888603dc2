// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local y,D=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local Y=o[b]local p=F(b)if r and not p and K('once')then return bb(b,D)end if not p and(r or Y and h==g and not K('once'))then if r and Y then ac=ac-1 end U(b,r and'C'or'R',D)if not r and D>0 then U(b,'R',0)end p='R'end if aS and not K('once')then H()if ac==0 then i,I=0,''end local R=aB(Y)if R then return R end end if r or p=='R'then return{'closed',a}end return{'lost',a,av(b,g)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["d766785e864dfd8c6565a3373f974b48f366721b", "c6470d14710b37568677a0f9cab1e101b3bb355e"];
