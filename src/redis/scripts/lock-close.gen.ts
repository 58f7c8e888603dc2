// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, listen, lock, read_name, record, usual_tenure, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local v,x=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + usual_tenure + listen + wake + "local b,f=ARGV[1],tonumber(ARGV[2])local t=f==0 local F=l[b]local q=y(b)if t and not q and E(m)then return Y(b,x)end if not q and(t or F and h==f and not E(m))then Q(b,t and'C'or'R',x)q='R'if not t and not next(l)then k(a-f)end end if S and not E(m)then g=math.min(g,math.max(R(),a))C()W(b)if not next(l)then Z(1)end local A=X(F)if A then return A end end if t or q=='R'then return{'closed',a}end return{'lost',a,T(b,f,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["8f7d6442d36a305229ce46a26a58ac1cb28b63ce", "8390e030c9d0106648c79e2650bcad9bc17215bd"];
