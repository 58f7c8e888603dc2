// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local s,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,g=ARGV[1],tonumber(ARGV[2])local q=g==0 local d=l[b]local p=u(b)if q and not p and y('once')then return W(b,z)end if not p and(q or d and f==g and not y('once'))then if q and d then i=i-1 end I(b,q and'C'or'R',z)if not q and z>0 then I(b,'R',0)end p='R'end if O and not y('once')then F()if i==0 then e,t=0,''end local c=R(d)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,P(b,g)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9ddb5ecf62a19a2939c43606d0595ce30b157666", "ac8f615861abbe64b05c88a9f3ca9d51162abeed"];
