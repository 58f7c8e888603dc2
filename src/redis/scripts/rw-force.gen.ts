// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local t,B=ARGV[2],false if j('rw')then return{'kind',e,d}end if not q(t)then local z=Z()if ARGV[3]=='read'then B=z>0 if not next(f)then w=0 end if B then X()z,E,D=0,0,0 end else for e in pairs(f)do B=true G(e,'F')end if z==0 then w=0 end end G(t,B and'F'or'N')if not next(f)then l=math.max(l+1,e)end if not(B and ARGV[3]=='read')then z=math.max(z,E,N())end r=math.min(r,math.max(e,K(),z))A()L()local n=S(z<=e)if n then return n end end return{'forced',e,l,q(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["88524977656ce66b19eb9e80e0c60bfe0cd6894f", "f95471aa19210d3786c17b7f1e7985401dd5030d"];
