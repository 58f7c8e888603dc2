// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number], OnceCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local q=f==0 local E=n[b]local p=w(b)if q and not p and N('once')then return aN(b,ARGV[3])end if not p and(q or E and g==f)then if q and E then V=V-1 end A(b,q and'c'or'r')p='r'end if aH and not N('once')then y()if V==0 then i,z=0,''end local K=aw(ARGV[3],not E)if K then return K end end if q or p=='r'then return{'closed',a}end return{'lost',a,ah(b,f)}",
  sha: ["634c362557073cbba1366312858bddb0b40cf7f2", "e2acd0ffd1bab640dae1878d3256c09e47366e58"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
