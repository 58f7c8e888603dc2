// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local k,m=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local c='fair'\n" + lock + queue + "local t,l=ARGV[1],tonumber(ARGV[2])local p=l==0 local H=f[t]local h=j(t)if p and not h and B(c)then return W(t,m)end if not h and(p or H and o==l and not B(c))then F(t,p and'C'or'R',m)h='R'if not p and not next(f)then E(e-l)end er(t)end if V and not B(c)then r=math.min(r,math.max(M(),eu(),e))z()K()local n=S(H)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,R(t,l,nil,'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["6e7b53965e819dddd06d5e3b77c97631ff6dd207", "169671f802d7f737ee0815ab7c6f6e27015e339e"];
