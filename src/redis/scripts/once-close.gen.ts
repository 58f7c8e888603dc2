// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local t,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,h=ARGV[1],tonumber(ARGV[2])local r=h==0 local e=n[b]local p=v(b)if r and not p and B('once')then return Y(b,A)end if not p and(r or e and g==h and not B('once'))then if r and e then j=j-1 end K(b,r and'C'or'R',A)if not r and A>0 then K(b,'R',0)end p='R'end if Q and not B('once')then G()if j==0 then f,w=0,''end local C=T(e)if C then return C end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,h)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c6027a3d5fddaa9d480eb44f1e206793635a8e11", "608cc9483238bfd0247a5268946d7e21e28780a4"];
