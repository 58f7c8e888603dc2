// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local G=l[b]local o=u(b)if p and not o and z('once')then return Y(b,y)end if not o and(p or G and f==e and not z('once'))then if p and G then i=i-1 end J(b,p and'C'or'R',y)if not p and y>0 then J(b,'R',0)end o='R'end if U and not z('once')then D()if i==0 then g,s=0,''end local c=R(G)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["41e45f42e51fa43a50b7596ce1f00102ac01d2ec", "76a362c84d446655718f98c972c09f981ad4753d"];
