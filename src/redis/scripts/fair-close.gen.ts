// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, queue, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + "local k='fair'\n" + lock + fair + queue + "local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local G=l[b]local o=u(b)if p and not o and z(k)then return Y(b,y)end if not o and(p or G and f==e and not z(k))then J(b,p and'C'or'R',y)o='R'if p then al(b)n=aw()elseif not next(l)then v=v+(math.abs(a-e-w)-v)/8 S(a-e)end end if U and not z(k)then g=math.min(g,math.max(M(),n,a))N()local c=R(G)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["54f3ea011b24ff6e573f7166545e0db1fc43b387", "c658813c054d1b61c8746fbdf1b29f4b2310dc66"];
