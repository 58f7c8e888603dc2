// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,g,s,A=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local t=g==0 local m,H,C,O='lock',nil,nil,''for j,M in ipairs(KEYS)do local u=W[j]\n" + record + ending + vacate + lock + usual_tenure + "local F=n[b]local r=x(b)local c=B(m)if not r and(t or F and h==g and not c)and f<math.huge then N(b,t and'C'or'R',A)r='R'if not t and not next(n)then e(a-g)end end if S and(t or not c)then if not c then f=math.min(f,math.max(Q(),a))I()end C=V(F and not c)or C end if f==math.huge or not t and r~='R'then H=H or T(b,g,nil,'unknown')O=O..j..' 'end end if C then return C end if H then return{'lost',a,H,O}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["43d0eef428b4288b50f0ff7817d60ba4c68c2ebd", "6686663e0b01c31aa4a9b601efe8d2b3b52c984a"];
