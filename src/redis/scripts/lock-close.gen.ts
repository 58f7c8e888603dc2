// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,g,w,C=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r=g==0 local n,ay,R,aF='lock',nil,nil,''for p,al in ipairs(KEYS)do local ap=bj[p]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal Y=o[b]local q=F(b)local bc=J(n)if not q and(r or Y and h==g and not bc)and i<math.huge then U(b,r and'C'or'R',C)q='R'if not r and not next(o)then cs(a-g)end end if aR and(r or not bc)then if not bc then i=math.min(i,math.max(aq(),a))G()end R=aB(Y and not bc)or R end if i==math.huge or not r and q~='R'then ay=ay or au(b,g,nil,'unknown')aF=aF..p..' 'end end if R then return R end if ay then return{'lost',a,ay,aF}end return{'closed',a}",
  replies: ["closed", "lost reason names"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["ab19f708b02a02867d98c2c535746e2b43bc5df9", "9d713a07dd278cd8b419eb52378b4c1916bd819d"];
