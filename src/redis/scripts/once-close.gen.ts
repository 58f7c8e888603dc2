// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local H=m[t]local h=q(t)if p and not h and C('once')then return V(t,c)end if not h and(p or H and l==o and not C('once'))then if p and H then i=i-1 end F(t,p and'C'or'R',c)if not p and c>0 then F(t,'R',0)end h='R'end if U and not C('once')then A()if i==0 then r,x=0,''end local n=R(H)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,Q(t,o)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["120bf0f7c36b3262c85d5a53d89ad30044e6ce8c", "1bf80c851ac1c28351412ddecc8c502e7912f784"];
