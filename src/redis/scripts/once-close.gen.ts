// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local t,k=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local G=m[b]local o=v(b)if p and not o and A('once')then return X(b,k)end if not o and(p or G and f==e and not A('once'))then if p and G then i=i-1 end J(b,p and'C'or'R',k)if not p and k>0 then J(b,'R',0)end o='R'end if U and not A('once')then D()if i==0 then g,q=0,''end local c=R(G)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5575026052730a472262c08f58b76e58daadc845", "bd16fdd3c0b8dc8b7bf9eff492ba3ad0f1716ae8"];
