// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, queue, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local s,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + "local k='fair'\n" + lock + fair + queue + "local o,b,g=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local q=g==0 local d=l[b]local p=u(b)if q and not p and y(k)then return W(b,z)end if not p and(q or d and f==g and not y(k))then I(b,q and'C'or'R',z)p='R'if q then ao(o)m=ay()elseif not next(l)then w=w+(math.abs(a-g-x)-w)/8 T(a-g)end end if O and not y(k)then e=math.min(e,math.max(L(),m,a))S()local c=R(d)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,P(b,g,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["82a10cc435edd33d2ed342353ea81e10eebcefee", "560f66168bef9d8173b9949c0873e452e7288001"];
