// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local b,m=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local F=f[t]local h=q(t)if p and not h and j('once')then return V(t,m)end if not h and(p or F and l==o and not j('once'))then if p and F then i=i-1 end G(t,p and'C'or'R',m)if not p and m>0 then G(t,'R',0)end h='R'end if S and not j('once')then z()if i==0 then r,w=0,''end local n=R(F)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,M(t,o)}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["73db253d8e423b75590cf2ecfcde089d9b42e3d1", "33d76ace4963e36f2d3ecdeb971c42dade3db823"];
