// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local t,A=ARGV[2],false if j('rw')then return{'kind',e,d}end if not q(t)then local C=Z()if ARGV[3]=='read'then A=C>0 if not next(f)then g=0 end if A then X()C,E,D=0,0,0 end else for e in pairs(f)do A=true G(e,'F')end if C==0 then g=0 end end G(t,A and'F'or'N')if not next(f)then l=math.max(l+1,e)end if not(A and ARGV[3]=='read')then C=math.max(C,E,N())end r=math.min(r,math.max(e,K(),C))z()L()local n=R(C<=e)if n then return n end end return{'forced',e,l,q(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["799e5ec21e15c3c3adc38635e8e935cb3ada06ca", "3c8ef3d9a56b44351538980d14641ff3ce920791"];
