// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number], OnceCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,e=ARGV[1],tonumber(ARGV[2])local n=e==0 local s=h[b]local z=m(b)if n and not z and J('once')then return aw(b,ARGV[3])end if not z and(n or s and d==e)then if n and s then l=l-1 end r(b,n and'c'or'r')z='r'end if T and not J('once')then N()if l==0 then f,q=0,''end local Q=aa(ARGV[3],not s)if Q then return Q end end if n or z=='r'then return{'closed',a}end return{'lost',a,P(b,e)}",
  sha: ["07330599cc1d82ff255ad378702d9ffedd776727", "52739d17edc38e4d67026b0103a34de3c43273e3"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
