// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local n,ap,O,av='lock',nil,nil,''for p,al in ipairs(KEYS)do local aw=aV[p]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal G=o[b]local q=v(b)local aP=F(n)if not q and(r or G and g==f and not aP)and i<math.huge then B(b,r and'c'or'r')q='r'if not r and not next(o)then bT(a-f)end end if aJ and(r or not aP)then if not aP then i=math.min(i,math.max(ag(),a))z()end O=ay(ARGV[3],aP or r and not G)or O end if i==math.huge or not r and q~='r'then ap=ap or aj(b,f)av=av..p..' 'end end if O then return O end if ap then return{'lost',a,ap,av}end return{'closed',a}",
  sha: ["f4e9bad3e86f663a2c4190a73825a68d92bb8307", "48a2ab166327c5edaf1978bfe9a650f3aa7bc7be"],
  replies: ["closed", "lost reason names"],
  fresh: false,
};
