// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local t,A=ARGV[2],false if q('rw')then return{'kind',e,d}end if not j(t)then local k=ee()if ARGV[3]=='read'then A=k>0 if not next(f)then x=0 end if A then R()k,D,E=0,0,0 end else for e in pairs(f)do A=true F(e,'F')end if k==0 then x=0 end end F(t,A and'F'or'N')if not next(f)then l=math.max(l+1,e)end if not(A and ARGV[3]=='read')then k=math.max(k,D,P())end r=math.min(r,math.max(e,K(),k))z()J()local n=S(k<=e)if n then return n end end return{'forced',e,l,j(t)=='F'and 1 or 0}",
  replies: "forced token had|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["1aaf0985148eb58e725aa527984565b14dd1a6be", "015c4b35a0ac02084973c36b5ddd816a1ac6f0b7"];
