// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,g,s,z=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local q=g==0 local l,j,C,D='lock',nil,nil,''for i,K in ipairs(KEYS)do local y=x[i]\n" + record + ending + vacate + lock + "local d=m[b]local p=v(b)local c=A(l)if not p and(q or d and f==g and not c)and e<math.huge then J(b,q and'C'or'R',z)p='R'if not q and not next(m)then U(a-g)end end if Q and(q or not c)then if not c then e=math.min(e,math.max(N(),a))G()end C=T(d and not c)or C end if e==math.huge or not q and p~='R'then j=j or R(b,g,nil,'unknown')D=D..i..' 'end end if C then return C end if j then return{'lost',a,j,D}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["cbbe8402e2174200664333b80d95a0bce6cb4f9a", "0592a1081e59f2c92e3b7ab0074bb6e5ae202db8"];
