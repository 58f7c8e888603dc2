// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local y,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + once + "\nlocal b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local W=o[b]local q=J(b)if r and not q and N('once')then return bb(b,C)end if not q and(r or W and h==g and not N('once'))then if r and W then ac=ac-1 end aa(b,r and'C'or'R',C)if not r and C>0 then aa(b,'R',0)end q='R'end if aQ and not N('once')then F()if ac==0 then j,H=0,''end local R=aE(W)if R then return R end end if r or q=='R'then return{'closed',a}end return{'lost',a,au(b,g)}",
  sha: ["71115abf186541d98809d053da8c221a263bf830", "31555d9dcae84289438bc73efc13ec307e44b8e9"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
