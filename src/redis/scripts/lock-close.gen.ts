// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])local k='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + "local b,d=ARGV[1],tonumber(ARGV[2])local p=d==0 local f=l[b]local o=t(b)if p and not o and z(k)then return W(b,y)end if not o and(p or f and e==d and not z(k))then I(b,p and'C'or'R',y)o='R'if not p and not next(l)then P(a-d)end end if T and not z(k)then g=math.min(g,math.max(L(),a))D()local c=Q(f)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,O(b,d,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ff9357cefbed5c9893e6ba26fcf85d335b19e2df", "13a42182d3eb2743fad6d601162d00927f1640f4"];
