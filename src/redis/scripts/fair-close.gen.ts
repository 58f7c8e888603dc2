// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number], FairCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\nlocal o='fair'\n" + lock + "\n" + queue + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local G=n[b]local q=v(b)if r and not q and F(o)then return aN(b,ARGV[3])end if not q and(r or G and g==f and not F(o))then A(b,r and'c'or'r')q='r'if not r and not next(n)then bT(a-f)end bD(b)end if aH and not F(o)then i=math.min(i,math.max(ae(),cr(),a))y()S(ARGV[3])local M=aw(ARGV[3],r and not G)if M then return M end end if r or q=='r'then return{'closed',a}end return{'lost',a,ah(b,f)}",
  sha: ["da3853a070993d6f714455725a94c7176d8559f5", "14c1e639837e2c1a49371e477fe3170bdc222775"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
