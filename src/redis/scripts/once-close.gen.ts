// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local t,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,h=ARGV[1],tonumber(ARGV[2])local r=h==0 local e=n[b]local p=v(b)if r and not p and A('once')then return Y(b,z)end if not p and(r or e and g==h and not A('once'))then if r and e then j=j-1 end K(b,r and'C'or'R',z)if not r and z>0 then K(b,'R',0)end p='R'end if Q and not A('once')then G()if j==0 then f,w=0,''end local C=T(e)if C then return C end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,h)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9839eb93bcb1e29944a588705670e883a0b433f2", "ffc256ca92e1870a1b22f931dd922282030c5629"];
