// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: clock + records + "local b,g,y,D=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r=g==0 local n,ay,R,aF='lock',nil,nil,''for q,al in ipairs(KEYS)do local aq=bk[q]\n" + record + ending + vacate + lock + "local Y=o[b]local p=F(b)local bc=K(n)if not p and(r or Y and h==g and not bc)and i<math.huge then U(b,r and'C'or'R',D)p='R'if not r and not next(o)then cv(a-g)end end if aS and(r or not bc)then if not bc then i=math.min(i,math.max(as(),a))H()end R=aB(Y and not bc)or R end if i==math.huge or not r and p~='R'then ay=ay or av(b,g,nil,'unknown')aF=aF..q..' 'end end if R then return R end if ay then return{'lost',a,ay,aF}end return{'closed',a}",
  replies: "closed|lost reason names",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["45e6a0c8aca45a9aadafd3353b7bc544f9b502d3", "3232ded067c1e377b7371f2b96e93621660daaea"];
