// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + "local b=ARGV[2]if y(ARGV[3])then return{'kind',a,h}end if not u(b)then Y('F')I(b,e>a and'F'or'N')h,f,e,t=ARGV[3],math.max(f+1,a),0,''R(true)end return{'forced',a,f,u(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["79555cf15f55385c9aeb31d9a717cc51f4edfc7c", "1bd485db0d3f04701b2a3f6c5d43d5bcc97146d7"];
