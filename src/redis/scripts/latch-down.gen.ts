// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, latch, listen, read_name, record, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + keep + failed + listen + wake + "local b,i='z'..ARGV[2],tonumber(ARGV[3])if E('latch')then return{'kind',a,j}end if not f or i<e or i>g then return{'lost',a}end if i<g then return{'left',a,0}end if A>0 and redis.call('ZADD',d,'NX',0,b)==1 then A,h=A-1,math.max(h,a+ARGV[4]*1000)H()if A==0 then ah()end local i=B(V(redis.pcall))or B(s(redis.pcall))if i then redis.call('ZREM',d,b)return i end end return{'left',a,A}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["aa35c150761c96ff84d0e8b9c356647e4dac3084", "2307a5f18a42a9959ebf1fa898f55e28d7dd2cec"];
