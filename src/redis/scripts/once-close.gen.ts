// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local s,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,g=ARGV[1],tonumber(ARGV[2])local t=g==0 local F=n[b]local r=x(b)if t and not r and B('once')then return ac(b,A)end if not r and(t or F and h==g and not B('once'))then if t and F then e=e-1 end N(b,t and'C'or'R',A)if not t and A>0 then N(b,'R',0)end r='R'end if S and not B('once')then I()if e==0 then f,q=0,''end local C=V(F)if C then return C end end if t or r=='R'then return{'closed',a}end return{'lost',a,T(b,g)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["d5d227633bec40d665e4b3038f5f2b3bc9f3f953", "9815eb3d31a6f6b26392c87c694a3adbbc874f39"];
