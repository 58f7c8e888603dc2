// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, failed, fair, keep, lock, queue, read_name, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local t,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + "local m='fair'\n" + lock + usual_tenure + fair + "local q,b,f=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local r=f==0 local D=l[b]local p=w(b)if r and not p and B(m)then return V(b,z)end if not p and(r or D and h==f and not B(m))then O(b,r and'C'or'R',z)p='R'if r then\n" + queue + "o=az(q)ay(q)elseif not next(l)then y=A==0 and math.max(a-f,0)/2 or y+(math.abs(a-f-A)-y)/8 k(a-f)end end if Q and not B(m)then g=math.min(g,math.max(P(),o,a))F()local i=U(D)if i then return i end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,f,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["962e36e36151fafbc9d7ddfca09e11dc191dc77e", "899ceb0540e1c9a736537ab2c24c073922fc15c8"];
