// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,g,s,z=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local q=g==0 local k,j,c,E='lock',nil,nil,''for i,K in ipairs(KEYS)do local B=C[i]\n" + record + ending + vacate + lock + "local d=l[b]local p=u(b)local m=y(k)if not p and(q or d and f==g and not m)and e<math.huge then I(b,q and'C'or'R',z)p='R'if not q and not next(l)then T(a-g)end end if O and(q or not m)then if not m then e=math.min(e,math.max(L(),a))F()end c=R(d and not m)or c end if e==math.huge or not q and p~='R'then j=j or P(b,g,nil,'unknown')E=E..i..' 'end end if c then return c end if j then return{'lost',a,j,E}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["6842d7086d0ebdcf65b60fa6651ead05ed439995", "c453c86a0594940c2124c2109b15ad4fa5e767b8"];
