// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local k=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local t,q=ARGV[2],false if B('rw')then return{'kind',e,d}end if not j(t)then local A=ee()if ARGV[3]=='read'then q=A>0 if not next(f)then y=0 end if q then R()A,E,D=0,0,0 end else for e in pairs(f)do q=true F(e,'F')end if A==0 then y=0 end end F(t,q and'F'or'N')if not next(f)then o=math.max(o+1,e)end if not(q and ARGV[3]=='read')then A=math.max(A,E,N())end r=math.min(r,math.max(e,M(),A))z()K()local n=S(A<=e)if n then return n end end return{'forced',e,o,j(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["6aee1573ae8044d7d857ac77412b4ae0f0eb52f5", "0af205a5fe12949ad108976e2e3738f86b638736"];
