// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, fresh, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + "local b=ARGV[2]if B(ARGV[3])then return{'kind',a,i}end if not x(b)then l('F')N(b,f>a and'F'or'N')i,h,f,q=ARGV[3],math.max(h+1,a),0,''V(true)end return{'forced',a,h,x(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["d28b230cf55240adb210c890cfc76a003fa55bf8", "e42740219a8d569011392ca2bf64d096176a4f5e"];
