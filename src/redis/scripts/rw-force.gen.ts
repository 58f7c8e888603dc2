// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local t,g=ARGV[2],false if z('rw')then return{'kind',e,d}end if not q(t)then local k=ee()if ARGV[3]=='read'then g=k>0 if not next(f)then x=0 end if g then O()k,D,E=0,0,0 end else for e in pairs(f)do g=true F(e,'F')end if k==0 then x=0 end end F(t,g and'F'or'N')if not next(f)then l=math.max(l+1,e)end if not(g and ARGV[3]=='read')then k=math.max(k,D,Q())end r=math.min(r,math.max(e,L(),k))A()K()local n=T(k<=e)if n then return n end end return{'forced',e,l,q(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["d32c829d65c1535ee70c2fa9d87ac219b6ea075d", "e38b6a44760bb4fe707decda432bfb6fd519ee20"];
