// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, listen, lock, read_names, record, usual_tenure, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,f,v,x=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local t=f==0 local m,K,A,Y='lock',nil,nil,''for j,L in ipairs(KEYS)do local w=P[j]\n" + record + ending + vacate + lock + usual_tenure + listen + wake + "local E=l[b]local q=y(b)local c=D(m)if not q and(t or E and h==f and not c)and g<math.huge then Q(b,t and'C'or'R',x)q='R'if not t and not next(l)then k(a-f)end end if S and(t or not c)then if not c then g=math.min(g,math.max(R(),a))F()W(b)if not next(l)then Z(1)end end A=X(E and not c)or A end if g==math.huge or not t and q~='R'then K=K or T(b,f,nil,'unknown')Y=Y..j..' 'end end if A then return A end if K then return{'lost',a,K,Y}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ed9130c67002448fd590bec9c7ea8833bae7fa29", "ebfa97a6e4699cfe534b228c66d4ad2a368f77cd"];
