// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local w,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,g=ARGV[1],tonumber(ARGV[2])local r=g==0 local Y=o[b]local q=F(b)if r and not q and J(n)then return bc(b,C)end if not q and(r or Y and h==g and not J(n))then U(b,r and'C'or'R',C)q='R'if not r and not next(o)then ct(a-g)end cb(b)end if aS and not J(n)then i=math.min(i,math.max(ar(),cU(),a))G()ad()local R=aC(Y)if R then return R end end if r or q=='R'then return{'closed',a}end return{'lost',a,av(b,g,nil,'unknown')}",
  replies: ["closed", "lost reason"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["3fd52d692fbbacbc0a4dc276bd994834e201fc0c", "a492a8d414bf1439b986187b854173bd636fe2e4"];
