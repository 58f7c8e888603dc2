// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local o,an,M,as='lock',nil,nil,''for p,aj in ipairs(KEYS)do local au=aU[p]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal G=n[b]local q=v(b)local aO=F(o)if not q and(r or G and g==f and not aO)and i<math.huge then A(b,r and'c'or'r')q='r'if not r and not next(n)then bT(a-f)end end if aH and(r or not aO)then if not aO then i=math.min(i,math.max(ae(),a))y()end M=aw(ARGV[3],aO or r and not G)or M end if i==math.huge or not r and q~='r'then an=an or ah(b,f)as=as..p..' 'end end if M then return M end if an then return{'lost',a,an,as}end return{'closed',a}",
  sha: ["f4b7e6629057a14595932c5abc972d2c5763617a", "b82efcfb5d6c5b92c4a8e5ed5d4ce07c2ad7268e"],
  replies: ["closed", "lost reason names"],
  fresh: false,
};
