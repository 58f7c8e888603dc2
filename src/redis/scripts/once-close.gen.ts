// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, listen, once, read_name, record, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local w,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + listen + wake + "local b,f=ARGV[1],tonumber(ARGV[2])local u=f==0 local G=l[b]local t=x(b)if u and not t and E('once')then return Y(b,A)end if not t and(u or G and g==f and not E('once'))then if u and G then i=i-1 end S(b,u and'C'or'R',A)if not u and A~=0 then S(b,'R',0)end t='R'end if T and not E('once')then H()if i==0 then h,D=0,''end X(b)if not next(l)then ac(1)end local B=Z(G)if B then return B end end if u or t=='R'then return{'closed',a}end return{'lost',a,U(b,f)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["704b0fd7a82298ce41e76aa403a19a4c1e99cace", "1a8de80caac11cacde9b15645c038ade2c91bb80"];
