// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: clock + records + "local b,g,w,O=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r=g==0 local n,ax,U,aG='lock',nil,nil,''for q,ao in ipairs(KEYS)do local ab=bn[q]\n" + record + ending + vacate + lock + "local Z=o[b]local p=I(b)local be=N(n)if not p and(r or Z and h==g and not be)and i<math.huge then W(b,r and'C'or'R',O)p='R'if not r and not next(o)then cC(a-g)end end if aT and(r or not be)then if not be then i=math.min(i,math.max(au(),a))K()end U=aA(Z and not be)or U end if i==math.huge or not r and p~='R'then ax=ax or aw(b,g,nil,'unknown')aG=aG..q..' 'end end if U then return U end if ax then return{'lost',a,ax,aG}end return{'closed',a}",
  replies: "closed|lost reason names",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["8413e1b32874bf89a830e608c8aacb8fc55776b4", "912a9a6610521cd0ac3bb6737b2ac0359da543bf"];
