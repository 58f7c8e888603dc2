// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number], OnceCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local G=n[b]local q=v(b)if r and not q and F('once')then return aN(b,ARGV[3])end if not q and(r or G and g==f and not F('once'))then if r and G then V=V-1 end A(b,r and'c'or'r')q='r'end if aH and not F('once')then y()if V==0 then i,z=0,''end local M=aw(ARGV[3],not G)if M then return M end end if r or q=='r'then return{'closed',a}end return{'lost',a,ah(b,f)}",
  sha: ["d0b108211e8753e4fcd3155fc7eda95ab71621c5", "2ff2093f6925e806a3ade5e885fe7342abf717ea"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
