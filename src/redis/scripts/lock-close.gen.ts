// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local t,z=tonumber(ARGV[3]),tonumber(ARGV[4])local m='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + usual_tenure + "local b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local D=l[b]local p=w(b)if r and not p and B(m)then return V(b,z)end if not p and(r or D and h==f and not B(m))then O(b,r and'C'or'R',z)p='R'if not r and not next(l)then k(a-f)end end if Q and not B(m)then g=math.min(g,math.max(P(),a))C()local E=U(D)if E then return E end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,f,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b2c8c54281092465fe0611ec741ec8b157deaf87", "83cdf63776708222d8a08669407ed13d018eb619"];
