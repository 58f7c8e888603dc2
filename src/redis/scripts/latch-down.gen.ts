// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + keep + failed + "local b,j='z'..ARGV[2],tonumber(ARGV[3])if B('latch')then return{'kind',a,i}end if not g or j<c or j>h then return{'lost',a}end if j<h then return{'left',a,0}end if A>0 and redis.call('ZADD',d,'NX',0,b)==1 then A,f=A-1,math.max(f,a+ARGV[4]*1000)I()local j=C(P(redis.pcall))or C(y(redis.pcall))if j then redis.call('ZREM',d,b)return j end end return{'left',a,A}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["d18438445c15311aa156e6b5f4b6b9b1ae96df92", "fa01999d040533e57f3be0695ccebfd3d44e35b1"];
