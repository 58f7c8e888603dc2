// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, lock, one, queue, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + "local f='fair'\n" + lock + queue + "local t,o=ARGV[1],tonumber(ARGV[2])local p=o==0 local H=m[t]local h=q(t)if p and not h and C(f)then return V(t,c)end if not h and(p or H and l==o and not C(f))then F(t,p and'C'or'R',c)h='R'if not p and not next(m)then E(e-o)end er(t)end if U and not C(f)then r=math.min(r,math.max(P(),eu(),e))A()K()local n=R(H)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,Q(t,o,nil,'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["950524acb461c2557e40c2cf93fe43e6605f01b8", "43a07dc9ecbeb95bc0ec2ad71c12c0a1183446e3"];
