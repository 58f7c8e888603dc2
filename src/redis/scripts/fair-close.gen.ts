// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, queue, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local r,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + "local k='fair'\n" + lock + fair + queue + "local o,b,e=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local q=e==0 local d=m[b]local p=u(b)if q and not p and z(k)then return X(b,y)end if not p and(q or d and f==e and not z(k))then I(b,q and'C'or'R',y)p='R'if q then am(o)l=ax()elseif not next(m)then v=v+(math.abs(a-e-w)-v)/8 R(a-e)end end if U and not z(k)then g=math.min(g,math.max(L(),l,a))M()local c=Q(d)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,O(b,e,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["6a6e8600d2710e452851ebd3f5a5f7065c5fbd1e", "9a06fc596a6f2c94293cf0a7371644b9f5db5151"];
