// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number], FairCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,e=ARGV[1],tonumber(ARGV[2])local r=e==0 local H=o[b]local q=w(b)if r and not q and G(n)then return aV(b,ARGV[3])end if not q and(r or H and h==e and not G(n))then C(b,r and'c'or'r')q='r'if not r and not next(o)then cg(a-e)end bP(b)end if aP and not G(n)then i=math.min(i,math.max(al(),cG(),a))A()V(ARGV[3])local P=aD(ARGV[3],r and not H)if P then return P end end if r or q=='r'then return{'closed',a}end return{'lost',a,ao(b,e)}",
  sha: ["5d0e6f05149986a033952c9dd8588318bc9bc938", "4c3daeebbd0b75396b998bb922b0ead1a6caa5ca"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
