// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, failed, fair_body, keep, listen, lock, queue, read_name, record, usual_tenure, vacate, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local w,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + "local m='fair'\n" + lock + usual_tenure + fair_body + listen + wake + wake_head + "local r,b,f=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local u=f==0 local G=l[b]local t=x(b)if u and not t and E(m)then return Y(b,A)end if not t and(u or G and g==f and not E(m))then S(b,u and'C'or'R',A)t='R'if u then\n" + queue + "p=aK(r)aJ(r)elseif not next(l)then L=F==0 and math.max(a-f,0)/2 or L+(math.abs(a-f-F)-L)/8 n(a-f)end end if T and not E(m)then h=math.min(h,math.max(R(),p,a))ak()X(b)if not next(l)then ai(0)end local i=Z(G)if i then return i end end if u or t=='R'then return{'closed',a}end return{'lost',a,U(b,f,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["6b4ccc32a88237ab983863c56670b23b5c43ee9b", "885998fcdf7a741b904187fffa898248e0ec5740"];
