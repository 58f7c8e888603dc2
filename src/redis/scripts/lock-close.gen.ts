// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local r,y=tonumber(ARGV[3]),tonumber(ARGV[4])local k='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + "local b,e=ARGV[1],tonumber(ARGV[2])local q=e==0 local d=m[b]local p=u(b)if q and not p and z(k)then return X(b,y)end if not p and(q or d and f==e and not z(k))then I(b,q and'C'or'R',y)p='R'if not q and not next(m)then R(a-e)end end if U and not z(k)then g=math.min(g,math.max(L(),a))E()local c=Q(d)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,O(b,e,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["431e32894abb2cdb44a7359cf973827acad864db", "fcb114a90b77644f0819230f52cef2b8e8094e96"];
