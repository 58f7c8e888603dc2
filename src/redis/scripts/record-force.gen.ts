// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + "local t=ARGV[2]if z(ARGV[3])then return{'kind',e,d}end if not q(t)then for e in pairs(f)do E(e,'F')end E(t,r>e and'F'or'N')d,l,r,k=ARGV[3],math.max(l+1,e),0,''S(true)end return{'forced',e,l,q(t)=='F'and 1 or 0}",
  replies: "forced token had|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["a2d4c6ae229ae2a967d668cf00b43c0853560d9f", "6c082960830bbaf25c2a99db00f67e9d81a5616b"];
