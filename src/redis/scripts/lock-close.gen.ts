// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local q=f==0 local o,am,K,as='lock',nil,nil,''for r,aj in ipairs(KEYS)do local au=aT[r]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal E=n[b]local p=w(b)local bd=N(o)if not p and(q or E and g==f)and i<math.huge then A(b,q and'c'or'r')p='r'if not q and not next(n)then bS(a-f)end end if aH and(q or not bd)then if not bd then i=math.min(i,math.max(ae(),a))y()end K=aw(ARGV[3],bd or q and not E)or K end if i==math.huge or not q and p~='r'then am=am or ah(b,f)as=as..r..' 'end end if K then return K end if am then return{'lost',a,am,as}end return{'closed',a}",
  sha: ["e776a2950e269256398551c0e013a2c952576903", "e06fa2a735ea13192e15aad01cd909e59ad95f4c"],
  replies: ["closed", "lost reason names"],
  fresh: false,
};
