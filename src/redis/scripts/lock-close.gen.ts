// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: clock + records + "local b,g,v,E=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r=g==0 local n,ay,S,aG='lock',nil,nil,''for q,an in ipairs(KEYS)do local as=bm[q]\n" + record + ending + vacate + lock + "local Y=o[b]local p=G(b)local be=L(n)if not p and(r or Y and h==g and not be)and i<math.huge then V(b,r and'C'or'R',E)p='R'if not r and not next(o)then cA(a-g)end end if aU and(r or not be)then if not be then i=math.min(i,math.max(au(),a))H()end S=aB(Y and not be)or S end if i==math.huge or not r and p~='R'then ay=ay or aw(b,g,nil,'unknown')aG=aG..q..' 'end end if S then return S end if ay then return{'lost',a,ay,aG}end return{'closed',a}",
  replies: "closed|lost reason names",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["ac7f72d296c132d64e883261413c29a1f9ae652a", "5ae59e9cfe0100497830f567247be243d368fd3c"];
