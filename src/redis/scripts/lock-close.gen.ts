// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,d=ARGV[1],tonumber(ARGV[2])local r=d==0 local n,au,Q,aB='lock',nil,nil,''for p,aq in ipairs(KEYS)do local ak=bb[p]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal H=o[b]local q=w(b)local aV=G(n)if not q and(r or H and h==d and not aV)and i<math.huge then C(b,r and'c'or'r')q='r'if not r and not next(o)then cd(a-d)end end if aP and(r or not aV)then if not aV then i=math.min(i,math.max(al(),a))A()end Q=aC(ARGV[3],aV or r and not H)or Q end if i==math.huge or not r and q~='r'then au=au or ao(b,d)aB=aB..p..' 'end end if Q then return Q end if au then return{'lost',a,au,aB}end return{'closed',a}",
  sha: ["ec06186047cb16873c9bbf6cfa57f7d811a5cce0", "12fc261cee667599f23fca3a268f71a545855a4a"],
  replies: ["closed", "lost reason names"],
  fresh: false,
};
