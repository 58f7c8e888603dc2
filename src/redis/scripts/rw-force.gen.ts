// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local y=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local b,V=ARGV[2],false if K('rw')then return{'kind',a,k}end if not F(b)then local G=bl()if ARGV[3]=='read'then V=G>0 if not next(o)then ag=0 end if V then bE()G,N,ar=0,0,0 end else for aD in pairs(o)do V=true U(aD,'F')end if G==0 then ag=0 end end U(b,V and'F'or'N')if not next(o)then h=math.max(h+1,a)end if not(V and ARGV[3]=='read')then G=math.max(G,N,aj())end i=math.min(i,math.max(a,as(),G))H()ad()local R=aB(G<=a)if R then return R end end return{'forced',a,h,F(b)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["f7afba4f7ec63da40a0b92ec6d4c2b0ac2ae170a", "c8740c25df38d2d3f10ae30ef6d03784ca3b0664"];
