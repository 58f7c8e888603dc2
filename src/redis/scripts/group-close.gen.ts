// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,f,t,z=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r=f==0 local m,I,E,V='lock',nil,nil,''for i,K in ipairs(KEYS)do local u=N[i]\n" + record + ending + vacate + lock + usual_tenure + "local D=l[b]local p=w(b)local c=B(m)if not p and(r or D and h==f and not c)and g<math.huge then O(b,r and'C'or'R',z)p='R'if not r and not next(l)then k(a-f)end end if Q and(r or not c)then if not c then g=math.min(g,math.max(P(),a))C()end E=U(D and not c)or E end if g==math.huge or not r and p~='R'then I=I or R(b,f,nil,'unknown')V=V..i..' 'end end if E then return E end if I then return{'lost',a,I,V}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["81656d397cfa9014829f1e8ef36a25826c6ecf7c", "e93cb54b4f562c3677f834dba91d4ab75d308790"];
