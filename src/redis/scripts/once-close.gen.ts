// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local E,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local i,o=ARGV[1],tonumber(ARGV[2])local y=o==0 local a=f[i]local h=W(i)if y and not h and T('once')then return I(i,A)end if not h and(y or a and r==o and not T('once'))then if y and a then d=d-1 end B(i,y and'C'or'R',A)if not y and A>0 then B(i,'R',0)end h='R'end if J and not T('once')then K()if d==0 then l,b=0,''end local t=C(a)if t then return t end end if y or h=='R'then return{'closed',e}end return{'lost',e,D(i,o)}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6bd44969cd130b9f86fb8c4e93469f9bd1e02534", "114ce32f2d73cf357c7155c04eb25fb965622bfd"];
