// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + "local b=ARGV[2]if N(ARGV[3])then return{'kind',a,k}end if not I(b)then for aD in pairs(o)do W(aD,'F')end W(b,i>a and'F'or'N')k,h,i,G=ARGV[3],math.max(h+1,a),0,''aA(true)end return{'forced',a,h,I(b)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["1b7603ebc12c1b953cfb010ca97c42feaa0e642a", "fbffd9fe75d75ce2e1f5cfb758fc0cebb2786fa2"];
