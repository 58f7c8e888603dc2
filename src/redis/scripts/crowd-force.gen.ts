// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + "local b,m=ARGV[2],ARGV[3]if B(m)then return{'kind',a,j}end if not w(b)then local c=m=='fair'and next(l)and redis.call('ZRANGEBYSCORE',d,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local i,f=g>a,nil j,h,g,s=m,math.max(h+1,a),c and-c or 0,c and s or''if m=='latch'then redis.call('ZCARD',d)else T()f=not c and p()end local e=(i or f)and(m~='fair'and m~='rw'or next(l)or f)k('F')O(b,e and'F'or'N')U(true)if m=='latch'then redis.call('UNLINK',d)end end return{'forced',a,h,w(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["18c45890e3515ac10949138bd7e0138df4d4e4cf", "6d9b17a52c604276cf8631f42bf8da6b52755aa5"];
