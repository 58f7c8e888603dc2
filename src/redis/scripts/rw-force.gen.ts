// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local t,j=ARGV[2],false if C('rw')then return{'kind',e,d}end if not q(t)then local z=Z()if ARGV[3]=='read'then j=z>0 if not next(m)then w=0 end if j then Y()z,E,D=0,0,0 end else for e in pairs(m)do j=true F(e,'F')end if z==0 then w=0 end end F(t,j and'F'or'N')if not next(m)then l=math.max(l+1,e)end if not(j and ARGV[3]=='read')then z=math.max(z,E,M())end r=math.min(r,math.max(e,P(),z))A()K()local n=R(z<=e)if n then return n end end return{'forced',e,l,q(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["dcdb5de1b503ab914df8e9486db35b40e4109c46", "faccab85ce6dcc012fc5f7a5fb89d8d5f1c31339"];
