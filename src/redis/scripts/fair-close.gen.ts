// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local y,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local W=o[b]local q=J(b)if r and not q and N(n)then return bb(b,C)end if not q and(r or W and h==g and not N(n))then aa(b,r and'C'or'R',C)q='R'if not r and not next(o)then cq(a-g)end ca(b)end if aQ and not N(n)then j=math.min(j,math.max(aq(),cS(),a))F()ad()local R=aE(W)if R then return R end end if r or q=='R'then return{'closed',a}end return{'lost',a,au(b,g,nil,'unknown')}",
  sha: ["0bcd21bad0c3b5dc9071d44c7428406a1e86db02", "38f641fc1a2886d3058f86f317acb3961ee3c334"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
