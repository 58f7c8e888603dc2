// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,g,t,z=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r=g==0 local l,j,C,k='lock',nil,nil,''for i,J in ipairs(KEYS)do local q=y[i]\n" + record + ending + vacate + lock + usual_tenure + "local d=m[b]local p=v(b)local c=A(l)if not p and(r or d and f==g and not c)and e<math.huge then K(b,r and'C'or'R',z)p='R'if not r and not next(m)then E(a-g)end end if Q and(r or not c)then if not c then e=math.min(e,math.max(N(),a))G()end C=T(d and not c)or C end if e==math.huge or not r and p~='R'then j=j or R(b,g,nil,'unknown')k=k..i..' 'end end if C then return C end if j then return{'lost',a,j,k}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e2c67efb2f776365e4d97fd959c75af50948df21", "9f9e471ec2be75021256d006fba4bbff23a68c40"];
