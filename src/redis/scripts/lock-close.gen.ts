// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local t,z=tonumber(ARGV[3]),tonumber(ARGV[4])local l='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + usual_tenure + "local b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local d=m[b]local p=v(b)if r and not p and A(l)then return Y(b,z)end if not p and(r or d and f==g and not A(l))then K(b,r and'C'or'R',z)p='R'if not r and not next(m)then E(a-g)end end if Q and not A(l)then e=math.min(e,math.max(N(),a))G()local C=T(d)if C then return C end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,g,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ad012914a2ebf43c34320472ebb9a360e9207e4b", "c0dd7f45cafec2b9f0748193b130b1753d6fc0b4"];
