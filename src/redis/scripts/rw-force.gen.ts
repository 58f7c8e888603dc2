// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local t,w=ARGV[2],false if z('rw')then return{'kind',e,d}end if not q(t)then local g=ee()if ARGV[3]=='read'then w=g>0 if not next(f)then x=0 end if w then K()g,u,B=0,0,0 end else for e in pairs(f)do w=true E(e,'F')end if g==0 then x=0 end end E(t,w and'F'or'N')if not next(f)then l=math.max(l+1,e)end if not(w and ARGV[3]=='read')then g=math.max(g,u,L())end r=math.min(r,math.max(e,J(),g))C()N()local n=S(g<=e)if n then return n end end return{'forced',e,l,q(t)=='F'and 1 or 0}",
  replies: "forced token had|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["c349f4b4740d4df94f8937c277c261dcd65aedd2", "a0e53894cf5c352aaf5137bd863aa57388f79ea4"];
