// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, queue, read_name, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local t,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + "local l='fair'\n" + lock + usual_tenure + fair + "local o,b,g=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local r=g==0 local d=m[b]local p=v(b)if r and not p and A(l)then return Y(b,z)end if not p and(r or d and f==g and not A(l))then K(b,r and'C'or'R',z)p='R'if r then\n" + queue + "n=az(o)ay(o)elseif not next(m)then y=y+(math.abs(a-g-B)-y)/8 E(a-g)end end if Q and not A(l)then e=math.min(e,math.max(N(),n,a))D()local u=T(d)if u then return u end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,g,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9fa80a4e8172ac0fe24918249c4b69a66f78fd9b", "6f6509d54145db84135a055b7c80260b0fbf3d90"];
