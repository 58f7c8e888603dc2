// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local E=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + "local i=ARGV[2]if S(ARGV[3])then return{'kind',e,m}end if not W(i)then for e in pairs(f)do B(e,'F')end B(i,l>e and'F'or'N')m,r,l,b=ARGV[3],math.max(r+1,e),0,''C(true)end return{'forced',e,r,W(i)=='F'and 1 or 0}",
  replies: "forced token had|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["9717e4136fc66ed3adf8d83907d1e273b1496f8f", "01217804e296704e01f76d9dee5eafef46055494"];
