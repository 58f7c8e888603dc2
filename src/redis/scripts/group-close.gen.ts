// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + records + "local t,o,b,s=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=o==0 local m,c,n,u='lock',nil,nil,''for i,P in ipairs(KEYS)do local J=B[i]\n" + record + ending + vacate + lock + "local F=f[t]local h=q(t)local a=j(m)if not h and(p or F and l==o and not a)and r<math.huge then G(t,p and'C'or'R',s)h='R'if not p and not next(f)then E(e-o)end end if T and(p or not a)then if not a then r=math.min(r,math.max(K(),e))A()end n=S(F and not a)or n end if r==math.huge or not p and h~='R'then c=c or M(t,o,nil,'unknown')u=u..i..' 'end end if n then return n end if c then return{'lost',e,c,u}end return{'closed',e}",
  replies: "closed|lost reason names",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["bed95f9140f6a0d0333d11e0e14f7d1637f7ac73", "f872f7a854380d211fb5810d49dae93f8014d791"];
