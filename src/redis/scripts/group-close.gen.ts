// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, listen, lock, read_names, record, usual_tenure, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,f,w,A=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local u=f==0 local m,P,B,aa='lock',nil,nil,''for i,M in ipairs(KEYS)do local y=Q[i]\n" + record + ending + vacate + lock + usual_tenure + listen + wake + "local G=l[b]local t=x(b)local c=E(m)if not t and(u or G and g==f and not c)and h<math.huge then S(b,u and'C'or'R',A)t='R'if not u and not next(l)then n(a-f)end end if T and(u or not c)then if not c then h=math.min(h,math.max(R(),a))H()X(b)if not next(l)then ac(1)end end B=Z(G and not c)or B end if h==math.huge or not u and t~='R'then P=P or U(b,f,nil,'unknown')aa=aa..i..' 'end end if B then return B end if P then return{'lost',a,P,aa}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e25f6cb31a2df8a1404c6e400e9a153dffff75f3", "b0e01b9778d0c1d751e4b06070901101d2ab7ba3"];
