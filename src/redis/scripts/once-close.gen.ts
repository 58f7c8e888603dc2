// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local s,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,f=ARGV[1],tonumber(ARGV[2])local q=f==0 local d=m[b]local p=u(b)if q and not p and z('once')then return Z(b,y)end if not p and(q or d and g==f and not z('once'))then if q and d then i=i-1 end I(b,q and'C'or'R',y)if not q and y>0 then I(b,'R',0)end p='R'end if O and not z('once')then F()if i==0 then e,t=0,''end local c=R(d)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,P(b,f)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["a953e442518aefa7310946b4ae1e6bb06a0b6e0b", "fc64e086936b62db2b80951a8b1b0c1dbc67fce3"];
