// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local o,am,K,as='lock',nil,nil,''for p,aj in ipairs(KEYS)do local au=aT[p]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal E=n[b]local q=v(b)local bd=N(o)if not q and(r or E and g==f)and i<math.huge then A(b,r and'c'or'r')q='r'if not r and not next(n)then bS(a-f)end end if aH and(r or not bd)then if not bd then i=math.min(i,math.max(ae(),a))x()end K=aw(ARGV[3],bd or r and not E)or K end if i==math.huge or not r and q~='r'then am=am or ah(b,f)as=as..p..' 'end end if K then return K end if am then return{'lost',a,am,as}end return{'closed',a}",
  sha: ["dc4d52be6fa8eec852b5a8d3567df6c3773704a3", "02c55854f61282785d716e1fbd47a4863431cb9c"],
  replies: ["closed", "lost reason names"],
  fresh: false,
};
