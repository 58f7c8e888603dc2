// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number], OnceCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local E=n[b]local q=v(b)if r and not q and N('once')then return aN(b,ARGV[3])end if not q and(r or E and g==f)then if r and E then V=V-1 end A(b,r and'c'or'r')q='r'end if aH and not N('once')then x()if V==0 then i,z=0,''end local K=aw(ARGV[3],not E)if K then return K end end if r or q=='r'then return{'closed',a}end return{'lost',a,ah(b,f)}",
  sha: ["48808404ecfbd07253595cf118cf17e7ebeb1549", "403fd1904073249e6fa02c2a3531bf4ff2a8dbdb"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
