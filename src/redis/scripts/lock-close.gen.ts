// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: clock + records + "local t,o,b,c=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=o==0 local f,s,n,u='lock',nil,nil,''for i,N in ipairs(KEYS)do local J=g[i]\n" + record + ending + vacate + lock + "local H=m[t]local h=q(t)local a=C(f)if not h and(p or H and l==o and not a)and r<math.huge then F(t,p and'C'or'R',c)h='R'if not p and not next(m)then E(e-o)end end if U and(p or not a)then if not a then r=math.min(r,math.max(P(),e))A()end n=R(H and not a)or n end if r==math.huge or not p and h~='R'then s=s or Q(t,o,nil,'unknown')u=u..i..' 'end end if n then return n end if s then return{'lost',e,s,u}end return{'closed',e}",
  replies: "closed|lost reason names",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["151e60e704fafb2520b7bf39141d55b9df8454ca", "1c1f2936a68c434b6f44c88d4f3801f1adf4c054"];
