// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local r,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,e=ARGV[1],tonumber(ARGV[2])local q=e==0 local d=m[b]local p=u(b)if q and not p and z('once')then return X(b,y)end if not p and(q or d and f==e and not z('once'))then if q and d then i=i-1 end I(b,q and'C'or'R',y)if not q and y>0 then I(b,'R',0)end p='R'end if U and not z('once')then E()if i==0 then g,t=0,''end local c=Q(d)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,O(b,e)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["65264e54caaa41848d28e0c8c4f4506c9871b1b1", "2648588beda6c7043539071c2d5ccaa511847487"];
