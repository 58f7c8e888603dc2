// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,e=ARGV[1],tonumber(ARGV[2])local r=e==0 local n,au,P,aC='lock',nil,nil,''for p,aq in ipairs(KEYS)do local ak=bc[p]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal H=o[b]local q=w(b)local aW=G(n)if not q and(r or H and h==e and not aW)and i<math.huge then C(b,r and'c'or'r')q='r'if not r and not next(o)then cg(a-e)end end if aP and(r or not aW)then if not aW then i=math.min(i,math.max(al(),a))A()end P=aD(ARGV[3],aW or r and not H)or P end if i==math.huge or not r and q~='r'then au=au or ao(b,e)aC=aC..p..' 'end end if P then return P end if au then return{'lost',a,au,aC}end return{'closed',a}",
  sha: ["4924382f0686d012e756260f042ca71db0b788b8", "93497e386e65d63a36aeef110cffa8a575a49fa0"],
  replies: ["closed", "lost reason names"],
  fresh: false,
};
