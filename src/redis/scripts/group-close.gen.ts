// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + records + "local t,o,b,c=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=o==0 local m,s,n,u='lock',nil,nil,''for i,Q in ipairs(KEYS)do local I=B[i]\n" + record + ending + vacate + lock + "local a=f[t]local h=q(t)local g=z(m)if not h and(p or a and l==o and not g)and r<math.huge then F(t,p and'C'or'R',c)h='R'if not p and not next(f)then D(e-o)end end if T and(p or not g)then if not g then r=math.min(r,math.max(K(),e))A()end n=S(a and not g)or n end if r==math.huge or not p and h~='R'then s=s or N(t,o,nil,'unknown')u=u..i..' 'end end if n then return n end if s then return{'lost',e,s,u}end return{'closed',e}",
  replies: "closed|lost reason$ names$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["2999e4da8a7471c456b9441153eac84f66a93800", "a99cb9df0b03acd06c3b17b59a0cce95591b72c2"];
