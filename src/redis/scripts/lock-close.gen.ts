// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, listen, lock, read_name, record, usual_tenure, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local w,A=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + usual_tenure + listen + wake + "local b,f=ARGV[1],tonumber(ARGV[2])local u=f==0 local G=l[b]local t=x(b)if u and not t and E(m)then return Y(b,A)end if not t and(u or G and g==f and not E(m))then S(b,u and'C'or'R',A)t='R'if not u and not next(l)then n(a-f)end end if T and not E(m)then h=math.min(h,math.max(R(),a))H()X(b)if not next(l)then ac(1)end local B=Z(G)if B then return B end end if u or t=='R'then return{'closed',a}end return{'lost',a,U(b,f,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fc283d629627ab087807053977bea4548620c5b4", "78d8611f75d68b1c0e50ff5136e9f53af2cfed46"];
