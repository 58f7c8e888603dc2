// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,e,q,y=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=e==0 local k,j,c,B='lock',nil,nil,''for i,L in ipairs(KEYS)do local A=I[i]\n" + record + ending + vacate + lock + "local G=l[b]local o=u(b)local d=z(k)if not o and(p or G and f==e and not d)and g<math.huge then J(b,p and'C'or'R',y)o='R'if not p and not next(l)then S(a-e)end end if U and(p or not d)then if not d then g=math.min(g,math.max(M(),a))D()end c=R(G and not d)or c end if g==math.huge or not p and o~='R'then j=j or P(b,e,nil,'unknown')B=B..i..' 'end end if c then return c end if j then return{'lost',a,j,B}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3e1d4eadb4c9a16748d31ed510e26d64f7ac60f3", "eddfde3443b6b20f1a65a1893ccc347f0077f44b"];
