// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, queue, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local s,B=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + "local l='fair'\n" + lock + fair + queue + "local o,b,g=ARGV[1],ARGV[1]:sub(1,36),tonumber(ARGV[2])local q=g==0 local d=m[b]local p=v(b)if q and not p and z(l)then return ab(b,B)end if not p and(q or d and f==g and not z(l))then J(b,q and'C'or'R',B)p='R'if q then n=az(o)ay(o)elseif not next(m)then x=x+(math.abs(a-g-A)-x)/8 K(a-g)end end if R and not z(l)then e=math.min(e,math.max(N(),n,a))F()local t=Q(d)if t then return t end end if q or p=='R'then return{'closed',a}end return{'lost',a,S(b,g,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["2bb81c8d6767cad6485bcdb04b6725273dcee887", "4d5abb40441a62306d2e0dcc3019b88fe225c12c"];
