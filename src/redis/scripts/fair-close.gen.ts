// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, failed, fair, keep, lock, queue, read_name, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local s,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + "local m='fair'\n" + lock + usual_tenure + fair + "local p,b,g=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local t=g==0 local F=n[b]local r=x(b)if t and not r and B(m)then return ac(b,A)end if not r and(t or F and h==g and not B(m))then N(b,t and'C'or'R',A)r='R'if t then\n" + queue + "o=az(p)ay(p)elseif not next(n)then w=z==0 and math.max(a-g,0)/2 or w+(math.abs(a-g-z)-w)/8 e(a-g)end end if S and not B(m)then f=math.min(f,math.max(Q(),o,a))E()local j=V(F)if j then return j end end if t or r=='R'then return{'closed',a}end return{'lost',a,T(b,g,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c42d81f31e58e5c6ce5991063372d40f330ac6ce", "3c5a2ab7e61d7a61cb5012bc3d3c01408d15176e"];
