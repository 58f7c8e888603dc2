// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + records + "local b,e,t,k=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=e==0 local m,j,c,z='lock',nil,nil,''for i,L in ipairs(KEYS)do local G=v[i]\n" + record + ending + vacate + lock + "local d=l[b]local o=y(b)local n=A(m)if not o and(p or d and f==e and not n)and g<math.huge then E(b,p and'C'or'R',k)o='R'if not p and not next(l)then M(a-e)end end if T and(p or not n)then if not n then g=math.min(g,math.max(J(),a))D()end c=S(d and not n)or c end if g==math.huge or not p and o~='R'then j=j or P(b,e,nil,'unknown')z=z..i..' 'end end if c then return c end if j then return{'lost',a,j,z}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f086a32e5d491a7a66b21ac83a7400370cdb775e", "76aee2d7c53b64adf50e14d7cb6a20e42c8ca1c6"];
