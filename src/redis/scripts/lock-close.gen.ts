// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,g,y,C=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r=g==0 local n,ay,R,aD='lock',nil,nil,''for p,al in ipairs(KEYS)do local ap=bj[p]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal W=o[b]local q=J(b)local bc=N(n)if not q and(r or W and h==g and not bc)and j<math.huge then aa(b,r and'C'or'R',C)q='R'if not r and not next(o)then cq(a-g)end end if aQ and(r or not bc)then if not bc then j=math.min(j,math.max(aq(),a))F()end R=aE(W and not bc)or R end if j==math.huge or not r and q~='R'then ay=ay or au(b,g,nil,'unknown')aD=aD..p..' 'end end if R then return R end if ay then return{'lost',a,ay,aD}end return{'closed',a}",
  sha: ["6919a6688a076b7c620729b4c62e165e8ae1255c", "1bd68d3dc3204663a28c5596dfeeed648978da6b"],
  replies: ["closed", "lost reason names"],
  fresh: false,
};
