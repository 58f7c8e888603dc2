// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local t,A=ARGV[2],false if x('rw')then return{'kind',e,d}end if not j(t)then local B=V()if ARGV[3]=='read'then A=B>0 if not next(f)then g=0 end if A then Y()B,E,D=0,0,0 end else for e in pairs(f)do A=true G(e,'F')end if B==0 then g=0 end end G(t,A and'F'or'N')if not next(f)then l=math.max(l+1,e)end if not(A and ARGV[3]=='read')then B=math.max(B,E,O())end r=math.min(r,math.max(e,L(),B))q()K()local n=S(B<=e)if n then return n end end return{'forced',e,l,j(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["24c33dc574eb3a3baa487274948daad498512e47", "b07544096d414f8810e70353de027a37a7700551"];
