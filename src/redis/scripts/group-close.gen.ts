// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + records + "local t,o,b,g=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=o==0 local m,s,n,u='lock',nil,nil,''for i,R in ipairs(KEYS)do local J=B[i]\n" + record + ending + vacate + lock + "local G=f[t]local h=q(t)local a=z(m)if not h and(p or G and l==o and not a)and r<math.huge then F(t,p and'C'or'R',g)h='R'if not p and not next(f)then D(e-o)end end if U and(p or not a)then if not a then r=math.min(r,math.max(L(),e))A()end n=T(G and not a)or n end if r==math.huge or not p and h~='R'then s=s or O(t,o,nil,'unknown')u=u..i..' 'end end if n then return n end if s then return{'lost',e,s,u}end return{'closed',e}",
  replies: "closed|lost reason names",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["9a0a13a57557cd462ed10757bd7e6111702cd3fe", "1c54f826098fd73fb02146a6fbcbfc54af4b9d1d"];
