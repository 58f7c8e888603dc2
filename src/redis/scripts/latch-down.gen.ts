// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + keep + failed + "local b,i='z'..ARGV[2],tonumber(ARGV[3])if B('latch')then return{'kind',a,j}end if not f or i<e or i>h then return{'lost',a}end if i<h then return{'left',a,0}end if z>0 and redis.call('ZADD',d,'NX',0,b)==1 then z,g=z-1,math.max(g,a+ARGV[4]*1000)C()local i=E(T(redis.pcall))or E(x(redis.pcall))if i then redis.call('ZREM',d,b)return i end end return{'left',a,z}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f833bd3f22fd9437bbab865867f9a010cce865c8", "474580b14f39620e0773cea1d5511f02238b209b"];
