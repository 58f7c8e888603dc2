// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number], FairCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,d=ARGV[1],tonumber(ARGV[2])local r=d==0 local H=o[b]local q=w(b)if r and not q and G(n)then return aV(b,ARGV[3])end if not q and(r or H and h==d and not G(n))then C(b,r and'c'or'r')q='r'if not r and not next(o)then ce(a-d)end bO(b)end if aP and not G(n)then i=math.min(i,math.max(al(),cF(),a))A()U(ARGV[3])local Q=aD(ARGV[3],r and not H)if Q then return Q end end if r or q=='r'then return{'closed',a}end return{'lost',a,ao(b,d)}",
  sha: ["21894f214a9738bd0187bfd64e5a73efe5d69d2a", "3d60778d491b9080d5a4973e041bdcc3848f4ee7"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
