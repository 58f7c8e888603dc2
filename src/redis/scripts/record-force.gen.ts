// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, fresh, listen, read_name, record, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + listen + wake + "local b=ARGV[2]if E(ARGV[3])then return{'kind',a,j}end if not x(b)then n('F')S(b,h>a and'F'or'N')j,g,h,D=ARGV[3],math.max(g+1,a),0,''if j=='lock'then ac(1)else ah()end Z(true)end return{'forced',a,g,x(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["58cac42853bbf159a1c51c9e7633e9e5134536ac", "29e9acfc902cebf8fa872730c2d742b706284968"];
