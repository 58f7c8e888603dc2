// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, failed, fair, keep, listen, lock, queue, read_name, record, usual_tenure, vacate, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local v,x=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + "local m='fair'\n" + lock + usual_tenure + fair + listen + wake + wake_head + "local r,b,f=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local t=f==0 local E=l[b]local q=y(b)if t and not q and D(m)then return Y(b,x)end if not q and(t or E and h==f and not D(m))then Q(b,t and'C'or'R',x)q='R'if t then\n" + queue + "o=aJ(r)aI(r)elseif not next(l)then z=C==0 and math.max(a-f,0)/2 or z+(math.abs(a-f-C)-z)/8 k(a-f)end end if S and not D(m)then g=math.min(g,math.max(R(),o,a))I()W(b)if not next(l)then an(0)end local j=X(E)if j then return j end end if t or q=='R'then return{'closed',a}end return{'lost',a,T(b,f,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ea100df2b9495b5c90f72a505f488a54916ca36a", "709db91262e90860da61019075396616e8d0f511"];
