// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, listen, once, read_name, record, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local v,x=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + listen + wake + "local b,f=ARGV[1],tonumber(ARGV[2])local t=f==0 local E=l[b]local q=y(b)if t and not q and D('once')then return Y(b,x)end if not q and(t or E and h==f and not D('once'))then if t and E then j=j-1 end Q(b,t and'C'or'R',x)if not t and x>0 then Q(b,'R',0)end q='R'end if S and not D('once')then F()if j==0 then g,B=0,''end W(b)if not next(l)then Z(1)end local A=X(E)if A then return A end end if t or q=='R'then return{'closed',a}end return{'lost',a,T(b,f)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b084b5bf12305d16de3dd089ca33b1f8dba507e6", "8177333fa5575fdb3a59c92ca208a74bafed0f2b"];
