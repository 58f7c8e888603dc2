// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,e,r,y=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local q=e==0 local j,l,c,C='lock',nil,nil,''for i,K in ipairs(KEYS)do local B=v[i]\n" + record + ending + vacate + lock + "local d=k[b]local p=u(b)local m=z(j)if not p and(q or d and f==e and not m)and g<math.huge then I(b,q and'C'or'R',y)p='R'if not q and not next(k)then M(a-e)end end if U and(q or not m)then if not m then g=math.min(g,math.max(L(),a))E()end c=Q(d and not m)or c end if g==math.huge or not q and p~='R'then l=l or O(b,e,nil,'unknown')C=C..i..' 'end end if c then return c end if l then return{'lost',a,l,C}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["90bba7517bea75ff426543f6f90d1cb632997e8f", "879c5cb85e86b4d5a864403303d80d1233fbf88b"];
