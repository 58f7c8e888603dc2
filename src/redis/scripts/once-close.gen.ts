// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number], OnceCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,d=ARGV[1],tonumber(ARGV[2])local r=d==0 local H=o[b]local q=w(b)if r and not q and G('once')then return aV(b,ARGV[3])end if not q and(r or H and h==d and not G('once'))then if r and H then Y=Y-1 end C(b,r and'c'or'r')q='r'end if aP and not G('once')then A()if Y==0 then i,B=0,''end local Q=aD(ARGV[3],not H)if Q then return Q end end if r or q=='r'then return{'closed',a}end return{'lost',a,ao(b,d)}",
  sha: ["e97d57798c5f3c1e4f5c6b8b5e0d9d01873293da", "92b5bbd261b4481e1352035c272b2023bd652e43"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
