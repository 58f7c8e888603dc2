// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: clock + records + "local t,l,k,m=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=l==0 local c,s,n,u='lock',nil,nil,''for i,P in ipairs(KEYS)do local J=w[i]\n" + record + ending + vacate + lock + "local H=f[t]local h=j(t)local a=B(c)if not h and(p or H and o==l and not a)and r<math.huge then F(t,p and'C'or'R',m)h='R'if not p and not next(f)then E(e-l)end end if V and(p or not a)then if not a then r=math.min(r,math.max(M(),e))z()end n=S(H and not a)or n end if r==math.huge or not p and h~='R'then s=s or R(t,l,nil,'unknown')u=u..i..' 'end end if n then return n end if s then return{'lost',e,s,u}end return{'closed',e}",
  replies: "closed|lost reason names",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["cadad8f0fdc21ba188661061d47847cfb449eee1", "679367fd6e9a9e9ef74c425b99e345b544437dd6"];
