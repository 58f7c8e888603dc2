// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local b,s=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local F=f[t]local h=q(t)if p and not h and j('once')then return V(t,s)end if not h and(p or F and l==o and not j('once'))then if p and F then i=i-1 end G(t,p and'C'or'R',s)if not p and s>0 then G(t,'R',0)end h='R'end if T and not j('once')then A()if i==0 then r,v=0,''end local n=S(F)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,M(t,o)}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["1aa033b786cb6bc8d15777212fc859dab2822a3b", "9fc0047db8ff0b751c8df778b5176566efd1e511"];
