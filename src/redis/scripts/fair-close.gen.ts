// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local m='fair'\n" + lock + fair + queue + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local a=f[t]local h=q(t)if p and not h and z(m)then return V(t,c)end if not h and(p or a and l==o and not z(m))then E(t,p and'C'or'R',c)h='R'if p then er(t)u=ep()elseif not next(f)then B=B+(math.abs(e-o-x)-B)/8 L(e-o)end end if T and not z(m)then r=math.min(r,math.max(J(),u,e))H()local n=S(a)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,P(t,o,nil,'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["a7668902e6a56d483d3f6733247b5d318876a802", "0f3d05961f3e6579e0d39ed4d8ba9008b87dd3f5"];
