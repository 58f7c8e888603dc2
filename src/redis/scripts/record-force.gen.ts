// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, fresh, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + "local b=ARGV[2]if B(ARGV[3])then return{'kind',a,j}end if not w(b)then k('F')O(b,g>a and'F'or'N')j,h,g,s=ARGV[3],math.max(h+1,a),0,''U(true)end return{'forced',a,h,w(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["4782f7e5ae3b26e5467ec4cc3b49148c4c31f63b", "7e8e0192dc7cb28b6cd1153d6d43b8cb85dae7d1"];
