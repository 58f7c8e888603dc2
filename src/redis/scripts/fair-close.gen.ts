// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, queue, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local s,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + "local k='fair'\n" + lock + fair + queue + "local o,b,f=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local q=f==0 local d=m[b]local p=u(b)if q and not p and z(k)then return Z(b,y)end if not p and(q or d and g==f and not z(k))then I(b,q and'C'or'R',y)p='R'if q then an(o)l=ay()elseif not next(m)then w=w+(math.abs(a-f-x)-w)/8 T(a-f)end end if O and not z(k)then e=math.min(e,math.max(L(),l,a))S()local c=R(d)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,P(b,f,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["dff85d1acd96d7a6402de57d58a8418f3e8ae0b4", "3214eedf9bac3f9cdddc16539d7f31c10303c3b0"];
