// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local t,A=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + usual_tenure + "local b,h=ARGV[1],tonumber(ARGV[2])local r=h==0 local e=n[b]local p=v(b)if r and not p and B(m)then return Y(b,A)end if not p and(r or e and g==h and not B(m))then K(b,r and'C'or'R',A)p='R'if not r and not next(n)then l(a-h)end end if Q and not B(m)then f=math.min(f,math.max(N(),a))G()local C=T(e)if C then return C end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,h,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ac885f3de42d84a51d16d5e0f52302b5790bb800", "bbe32836e73ba61eb84cd33c5a62978d4f2cb608"];
