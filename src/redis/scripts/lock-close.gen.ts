// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,d=ARGV[1],tonumber(ARGV[2])local r=d==0 local n,au,Q,aC='lock',nil,nil,''for p,aq in ipairs(KEYS)do local ak=bc[p]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal H=o[b]local q=w(b)local aW=G(n)if not q and(r or H and h==d and not aW)and i<math.huge then C(b,r and'c'or'r')q='r'if not r and not next(o)then ce(a-d)end end if aP and(r or not aW)then if not aW then i=math.min(i,math.max(al(),a))A()end Q=aD(ARGV[3],aW or r and not H)or Q end if i==math.huge or not r and q~='r'then au=au or ao(b,d)aC=aC..p..' 'end end if Q then return Q end if au then return{'lost',a,au,aC}end return{'closed',a}",
  sha: ["5b511453cec43d563f76582b0693dccf804bae2f", "04aed1da3caad6598af69c98b0c96870e586f10e"],
  replies: ["closed", "lost reason names"],
  fresh: false,
};
