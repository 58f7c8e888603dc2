// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,d,q,y=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=d==0 local k,j,c,H='lock',nil,nil,''for i,K in ipairs(KEYS)do local A=J[i]\n" + record + ending + vacate + lock + "local f=l[b]local o=t(b)local m=z(k)if not o and(p or f and e==d and not m)and g<math.huge then I(b,p and'C'or'R',y)o='R'if not p and not next(l)then P(a-d)end end if T and(p or not m)then if not m then g=math.min(g,math.max(L(),a))D()end c=Q(f and not m)or c end if g==math.huge or not p and o~='R'then j=j or O(b,d,nil,'unknown')H=H..i..' 'end end if c then return c end if j then return{'lost',a,j,H}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f0340195d845532b067d1a0173459685c662f5aa", "8645c867cd338d60efe8e51d37b9e30a23addef1"];
