// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])local k='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + "local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local G=l[b]local o=u(b)if p and not o and z(k)then return Y(b,y)end if not o and(p or G and f==e and not z(k))then J(b,p and'C'or'R',y)o='R'if not p and not next(l)then S(a-e)end end if U and not z(k)then g=math.min(g,math.max(M(),a))D()local c=R(G)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9fd9d9ee2d74aaf21cdac0740e7f9664a38a3bd8", "af6e1848621e95c7e4d7aa87444eb3f14dc86dbb"];
