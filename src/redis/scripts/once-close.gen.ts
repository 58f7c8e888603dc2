// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local a=f[t]local h=q(t)if p and not h and z('once')then return V(t,c)end if not h and(p or a and l==o and not z('once'))then if p and a then i=i-1 end E(t,p and'C'or'R',c)if not p and c>0 then E(t,'R',0)end h='R'end if T and not z('once')then C()if i==0 then r,k=0,''end local n=S(a)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,P(t,o)}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["494b711a5f7b34765d27773492ebdb6c0f8e8308", "4ede497923f32411276d361636df08e9fdea2350"];
