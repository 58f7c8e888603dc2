// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, listen, lock, read_name, record, usual_tenure, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local v,x=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + usual_tenure + listen + wake + "local b,f=ARGV[1],tonumber(ARGV[2])local t=f==0 local E=l[b]local q=y(b)if t and not q and D(m)then return Y(b,x)end if not q and(t or E and h==f and not D(m))then Q(b,t and'C'or'R',x)q='R'if not t and not next(l)then k(a-f)end end if S and not D(m)then g=math.min(g,math.max(R(),a))F()W(b)if not next(l)then Z(1)end local A=X(E)if A then return A end end if t or q=='R'then return{'closed',a}end return{'lost',a,T(b,f,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["60b126ffde3f3e77f3ca4f1bcd3d2e5e18fd3f22", "5029ec2d22738b0142372f065c5421242ebac466"];
