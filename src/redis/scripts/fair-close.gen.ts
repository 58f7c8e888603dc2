// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number], FairCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\nlocal o='fair'\n" + lock + "\n" + queue + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local E=n[b]local q=v(b)if r and not q and N(o)then return aN(b,ARGV[3])end if not q and(r or E and g==f)then A(b,r and'c'or'r')q='r'if not r and not next(n)then bS(a-f)end bC(b)end if aH and not N(o)then i=math.min(i,math.max(ae(),cq(),a))x()S(ARGV[3])local K=aw(ARGV[3],r and not E)if K then return K end end if r or q=='r'then return{'closed',a}end return{'lost',a,ah(b,f)}",
  sha: ["3773737e74a3abce87a280c18c830bffa896a2cc", "3f9c1d020ddc9e66d40994611b36b8feb6b9e3b8"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
