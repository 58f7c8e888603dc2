// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + records + "local t,o,b,c=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=o==0 local m,s,n,v='lock',nil,nil,''for i,O in ipairs(KEYS)do local G=B[i]\n" + record + ending + vacate + lock + "local a=f[t]local h=q(t)local u=z(m)if not h and(p or a and l==o and not u)and r<math.huge then E(t,p and'C'or'R',c)h='R'if not p and not next(f)then L(e-o)end end if T and(p or not u)then if not u then r=math.min(r,math.max(J(),e))C()end n=S(a and not u)or n end if r==math.huge or not p and h~='R'then s=s or P(t,o,nil,'unknown')v=v..i..' 'end end if n then return n end if s then return{'lost',e,s,v}end return{'closed',e}",
  replies: "closed|lost reason$ names$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["4f58a38f3f781d9b1eaec793d11a14d62c9ead23", "17d60cb6a8939a02fc8dede3a8f382e67130b845"];
