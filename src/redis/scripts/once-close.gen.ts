// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local r,k=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local H=m[b]local o=v(b)if p and not o and B('once')then return X(b,k)end if not o and(p or H and f==e and not B('once'))then if p and H then i=i-1 end J(b,p and'C'or'R',k)if not p and k>0 then J(b,'R',0)end o='R'end if U and not B('once')then E()if i==0 then g,t=0,''end local c=R(H)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3ffe0c4eff1e45ecf2c8ebd2349e6a29cc00b780", "2bd22ad445e9e7d58c15d3722a2dbba53f92cf9b"];
