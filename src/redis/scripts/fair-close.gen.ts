// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number], FairCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local G=o[b]local q=v(b)if r and not q and F(n)then return aO(b,ARGV[3])end if not q and(r or G and g==f and not F(n))then B(b,r and'c'or'r')q='r'if not r and not next(o)then bT(a-f)end bD(b)end if aJ and not F(n)then i=math.min(i,math.max(ag(),cr(),a))z()S(ARGV[3])local O=ay(ARGV[3],r and not G)if O then return O end end if r or q=='r'then return{'closed',a}end return{'lost',a,aj(b,f)}",
  sha: ["32441e4a5451293fca991b5d315c474a2efa0296", "57d864cc1c8642130fab30e1395a3ea280abea0b"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
