// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,g,w,C=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r=g==0 local n,az,R,aG='lock',nil,nil,''for p,al in ipairs(KEYS)do local aq=bk[p]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal Y=o[b]local q=F(b)local bd=J(n)if not q and(r or Y and h==g and not bd)and i<math.huge then U(b,r and'C'or'R',C)q='R'if not r and not next(o)then ct(a-g)end end if aS and(r or not bd)then if not bd then i=math.min(i,math.max(ar(),a))G()end R=aC(Y and not bd)or R end if i==math.huge or not r and q~='R'then az=az or av(b,g,nil,'unknown')aG=aG..p..' 'end end if R then return R end if az then return{'lost',a,az,aG}end return{'closed',a}",
  replies: ["closed", "lost reason names"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["9cdbb7c7780edad215366dc992b0cf1c9c5a1134", "c66b042aba06fefe708832c9d825ce803c14e7fc"];
