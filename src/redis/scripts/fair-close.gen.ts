// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local t,k=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local m='fair'\n" + lock + fair + queue + "local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local d=l[b]local o=y(b)if p and not o and A(m)then return V(b,k)end if not o and(p or d and f==e and not A(m))then E(b,p and'C'or'R',k)o='R'if p then ag(b)n=ao()elseif not next(l)then v=v+(math.abs(a-e-w)-v)/8 M(a-e)end end if T and not A(m)then g=math.min(g,math.max(J(),n,a))H()local c=S(d)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["40ed1da6245ac5746efbb79e3b4752240ec317a4", "d345c9ea9ea5cd54d77a14189f8f07d73bba324d"];
