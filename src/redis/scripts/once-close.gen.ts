// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,d=ARGV[1],tonumber(ARGV[2])local p=d==0 local f=l[b]local o=t(b)if p and not o and z('once')then return W(b,y)end if not o and(p or f and e==d and not z('once'))then if p and f then i=i-1 end I(b,p and'C'or'R',y)if not p and y>0 then I(b,'R',0)end o='R'end if T and not z('once')then D()if i==0 then g,s=0,''end local c=Q(f)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,O(b,d)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f7982b03f75ab5f347648e283d343a83d78b4d23", "6bc288d2b9900f0d461b2df2e5c955b0c18a0291"];
