// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, queue, read_name, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local t,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + "local m='fair'\n" + lock + usual_tenure + fair + "local o,b,h=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local r=h==0 local e=n[b]local p=v(b)if r and not p and B(m)then return Y(b,A)end if not p and(r or e and g==h and not B(m))then K(b,r and'C'or'R',A)p='R'if r then\n" + queue + "j=az(o)ay(o)elseif not next(n)then y=z==0 and math.max(a-h,0)/2 or y+(math.abs(a-h-z)-y)/8 l(a-h)end end if Q and not B(m)then f=math.min(f,math.max(N(),j,a))D()local u=T(e)if u then return u end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,h,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["75cb9855230a43f7965685f084678fb623511cdb", "662a69d79a02a70d5ebb36454291b2e4fccfeae4"];
