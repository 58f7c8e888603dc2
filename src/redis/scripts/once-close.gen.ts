// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local s,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,g=ARGV[1],tonumber(ARGV[2])local q=g==0 local d=m[b]local p=v(b)if q and not p and A('once')then return Y(b,z)end if not p and(q or d and f==g and not A('once'))then if q and d then i=i-1 end K(b,q and'C'or'R',z)if not q and z>0 then K(b,'R',0)end p='R'end if Q and not A('once')then G()if i==0 then e,w=0,''end local C=T(d)if C then return C end end if q or p=='R'then return{'closed',a}end return{'lost',a,R(b,g)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["349cf7a217b837cc3a5c12cf1293a007c517537d", "5b97c91ed172310eece7e602918234e7f73f45c3"];
