// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local E,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local i,o=ARGV[1],tonumber(ARGV[2])local O=o==0 local a=f[i]local y=W(i)if O and not y and S('once')then return I(i,A)end if not y and(O or a and r==o and not S('once'))then if O and a then d=d-1 end B(i,O and'C'or'R',A)if not O and A>0 then B(i,'R',0)end y='R'end if J and not S('once')then K()if d==0 then l,b=0,''end local t=C(a)if t then return t end end if O or y=='R'then return{'closed',e}end return{'lost',e,D(i,o)}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["943625c0b3d623fa679ededa466928ef6a67984c", "4ee404d7ac1faea7cd946dabd8281fac694b1ba9"];
