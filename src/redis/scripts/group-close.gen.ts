// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,e,r,k=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=e==0 local l,j,c,C='lock',nil,nil,''for i,L in ipairs(KEYS)do local A=w[i]\n" + record + ending + vacate + lock + "local H=m[b]local o=v(b)local d=B(l)if not o and(p or H and f==e and not d)and g<math.huge then J(b,p and'C'or'R',k)o='R'if not p and not next(m)then S(a-e)end end if U and(p or not d)then if not d then g=math.min(g,math.max(M(),a))E()end c=R(H and not d)or c end if g==math.huge or not p and o~='R'then j=j or P(b,e,nil,'unknown')C=C..i..' 'end end if c then return c end if j then return{'lost',a,j,C}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e72d97b749216850b925307232bbe20eba25e583", "45a8d7d7ebc147fb104fe7c0e3dd44e129618cd5"];
