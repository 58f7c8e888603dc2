// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local t,z=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + usual_tenure + "local b,h=ARGV[1],tonumber(ARGV[2])local r=h==0 local e=n[b]local p=v(b)if r and not p and A(m)then return Y(b,z)end if not p and(r or e and g==h and not A(m))then K(b,r and'C'or'R',z)p='R'if not r and not next(n)then l(a-h)end end if Q and not A(m)then f=math.min(f,math.max(N(),a))G()local C=T(e)if C then return C end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,h,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["1f16231c44721227dede7e9def2f3e3a0edb0745", "1efe52873cc683a26081600c0cfad3893d1e7d17"];
