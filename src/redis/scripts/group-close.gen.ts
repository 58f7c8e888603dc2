// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + records + "local t,o,b,m=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=o==0 local c,s,n,u='lock',nil,nil,''for i,P in ipairs(KEYS)do local J=x[i]\n" + record + ending + vacate + lock + "local F=f[t]local h=q(t)local a=j(c)if not h and(p or F and l==o and not a)and r<math.huge then G(t,p and'C'or'R',m)h='R'if not p and not next(f)then E(e-o)end end if S and(p or not a)then if not a then r=math.min(r,math.max(K(),e))z()end n=R(F and not a)or n end if r==math.huge or not p and h~='R'then s=s or M(t,o,nil,'unknown')u=u..i..' 'end end if n then return n end if s then return{'lost',e,s,u}end return{'closed',e}",
  replies: "closed|lost reason names",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["9cdeda8aaef908f5c75ef2268355bc4dcb391418", "209a22ee3f6856af7f0593fe7a7b9fa003cfb888"];
