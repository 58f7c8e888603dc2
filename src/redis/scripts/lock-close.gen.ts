// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local s,z=tonumber(ARGV[3]),tonumber(ARGV[4])local k='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + "local b,g=ARGV[1],tonumber(ARGV[2])local q=g==0 local d=l[b]local p=u(b)if q and not p and y(k)then return W(b,z)end if not p and(q or d and f==g and not y(k))then I(b,q and'C'or'R',z)p='R'if not q and not next(l)then T(a-g)end end if O and not y(k)then e=math.min(e,math.max(L(),a))F()local c=R(d)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,P(b,g,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f3d44e32d600be7a10634167c225443d7c865cfd", "4576cdcb026e76d4390a46969e048ffa3660e966"];
