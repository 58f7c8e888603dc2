// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, queue, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local r,k=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + "local l='fair'\n" + lock + fair + queue + "local b,e=ARGV[1],tonumber(ARGV[2])local p=e==0 local H=m[b]local o=v(b)if p and not o and B(l)then return X(b,k)end if not o and(p or H and f==e and not B(l))then J(b,p and'C'or'R',k)o='R'if p then al(b)n=au()elseif not next(m)then w=w+(math.abs(a-e-x)-w)/8 S(a-e)end end if U and not B(l)then g=math.min(g,math.max(M(),n,a))K()local c=R(H)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(b,e,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["8d74ade5ba80c78c279349784172cde513ef287d", "c7685eca4ba2b5aed115256fa212c5660486229a"];
