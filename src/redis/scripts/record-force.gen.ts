// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, fresh, listen, read_name, record, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + listen + wake + "local b=ARGV[2]if D(ARGV[3])then return{'kind',a,i}end if not y(b)then k('F')Q(b,g>a and'F'or'N')i,h,g,B=ARGV[3],math.max(h+1,a),0,''if i=='lock'then Z(1)else ah()end X(true)end return{'forced',a,h,y(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e8f57ed6801227c5d4a9403185bb76da169d17e3", "a9e8d7efe36b7f0fdd7668d412263198d87d9488"];
