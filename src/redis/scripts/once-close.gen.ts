// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local a=f[t]local h=q(t)if p and not h and z('once')then return V(t,c)end if not h and(p or a and l==o and not z('once'))then if p and a then i=i-1 end F(t,p and'C'or'R',c)if not p and c>0 then F(t,'R',0)end h='R'end if T and not z('once')then D()if i==0 then r,k=0,''end local n=S(a)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,N(t,o)}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["35678c1ab6a80236db378f87ba5fcba1713e5f97", "25d2bf88a7a973dde73f5c2eb9bd8b7b52faf000"];
