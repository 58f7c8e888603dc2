// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local t,k=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + one + record + ending + vacate + elsewhere + lock + "local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local d=l[b]local o=y(b)if p and not o and A(m)then return V(b,k)end if not o and(p or d and f==e and not A(m))then E(b,p and'C'or'R',k)o='R'if not p and not next(l)then M(a-e)end end if T and not A(m)then g=math.min(g,math.max(J(),a))D()local c=S(d)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ba79cccd4b19317858652ef7eeb1a44bcd74d7f1", "f370d0ccc06fc5614701f67971a2b455c2425940"];
