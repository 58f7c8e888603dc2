// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local k,m=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + once + "local t,l=ARGV[1],tonumber(ARGV[2])local p=l==0 local H=f[t]local h=j(t)if p and not h and B('once')then return W(t,m)end if not h and(p or H and o==l and not B('once'))then if p and H then i=i-1 end F(t,p and'C'or'R',m)if not p and m>0 then F(t,'R',0)end h='R'end if V and not B('once')then z()if i==0 then r,x=0,''end local n=S(H)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,R(t,l)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["1f5cc7f0d04f040f4b96d6972fbda6ff50baa943", "77ddfce91792702edb6d26d85909b3c45bcbb5b9"];
