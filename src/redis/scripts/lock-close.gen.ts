// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local s,A=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + usual_tenure + "local b,g=ARGV[1],tonumber(ARGV[2])local t=g==0 local F=n[b]local r=x(b)if t and not r and B(m)then return ac(b,A)end if not r and(t or F and h==g and not B(m))then N(b,t and'C'or'R',A)r='R'if not t and not next(n)then e(a-g)end end if S and not B(m)then f=math.min(f,math.max(Q(),a))I()local C=V(F)if C then return C end end if t or r=='R'then return{'closed',a}end return{'lost',a,T(b,g,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["2f546ff09d5411c7fc4b34d5db3492193ab7481d", "cab4c157248a0dbb0b6a687832e2337322046dfb"];
