// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,e,r,y=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local q=e==0 local k,j,c,J='lock',nil,nil,''for i,K in ipairs(KEYS)do local B=C[i]\n" + record + ending + vacate + lock + "local d=m[b]local p=u(b)local l=z(k)if not p and(q or d and f==e and not l)and g<math.huge then I(b,q and'C'or'R',y)p='R'if not q and not next(m)then R(a-e)end end if U and(q or not l)then if not l then g=math.min(g,math.max(L(),a))E()end c=Q(d and not l)or c end if g==math.huge or not q and p~='R'then j=j or O(b,e,nil,'unknown')J=J..i..' 'end end if c then return c end if j then return{'lost',a,j,J}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3b193d26a73eb52c12434db6b66e0842c7aecb20", "af73a28b3038bdb2ea76943ecfd3356dc3cc3f1f"];
