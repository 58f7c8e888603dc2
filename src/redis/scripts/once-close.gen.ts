// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number], OnceCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local G=o[b]local q=v(b)if r and not q and F('once')then return aO(b,ARGV[3])end if not q and(r or G and g==f and not F('once'))then if r and G then V=V-1 end B(b,r and'c'or'r')q='r'end if aJ and not F('once')then z()if V==0 then i,A=0,''end local O=ay(ARGV[3],not G)if O then return O end end if r or q=='r'then return{'closed',a}end return{'lost',a,aj(b,f)}",
  sha: ["12b473d3ec95ae9bc2e030b61dc8c9c787115fc7", "ef3d0d5f632620b2d2b857ac8c18820ca115e427"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
