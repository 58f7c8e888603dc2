// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number], OnceCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,e=ARGV[1],tonumber(ARGV[2])local r=e==0 local H=o[b]local q=w(b)if r and not q and G('once')then return aV(b,ARGV[3])end if not q and(r or H and h==e and not G('once'))then if r and H then Y=Y-1 end C(b,r and'c'or'r')q='r'end if aP and not G('once')then A()if Y==0 then i,B=0,''end local P=aD(ARGV[3],not H)if P then return P end end if r or q=='r'then return{'closed',a}end return{'lost',a,ao(b,e)}",
  sha: ["96b9ca1c6ece0c8596853bf3df3a125ccdd392f2", "30607532665455c578cfd534dfc52b7c00f59486"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
