// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + "local b=ARGV[2]if L(ARGV[3])then return{'kind',a,k}end if not G(b)then for aE in pairs(o)do V(aE,'F')end V(b,i>a and'F'or'N')k,h,i,I=ARGV[3],math.max(h+1,a),0,''aB(true)end return{'forced',a,h,G(b)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["3c40dcba08dbe956b53ab79d7cd9eb83e84d5533", "51d48ad032954060bf8bf6b609bbbc3c105ba70d"];
