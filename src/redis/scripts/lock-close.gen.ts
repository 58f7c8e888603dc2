// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local r,k=tonumber(ARGV[3]),tonumber(ARGV[4])local l='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + "local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local H=m[b]local o=v(b)if p and not o and B(l)then return X(b,k)end if not o and(p or H and f==e and not B(l))then J(b,p and'C'or'R',k)o='R'if not p and not next(m)then S(a-e)end end if U and not B(l)then g=math.min(g,math.max(M(),a))E()local c=R(H)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["1d0ffc532fb49606d300f2fe478128d74e12b140", "84a8143c2a70b1b04100b5e0a41965330c2d8919"];
