// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number], FairCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\nlocal o='fair'\n" + lock + "\n" + queue + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local q=f==0 local E=n[b]local p=w(b)if q and not p and N(o)then return aN(b,ARGV[3])end if not p and(q or E and g==f)then A(b,q and'c'or'r')p='r'if not q and not next(n)then bS(a-f)end bC(b)end if aH and not N(o)then i=math.min(i,math.max(ae(),cq(),a))y()S(ARGV[3])local K=aw(ARGV[3],q and not E)if K then return K end end if q or p=='r'then return{'closed',a}end return{'lost',a,ah(b,f)}",
  sha: ["a50afca64429ae3ae69c950bbce2c0344d170887", "c75bdb791ecedb4db908df7a3da3a2bdb33362e4"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
