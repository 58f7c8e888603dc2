// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + "local b,j='z'..ARGV[2],tonumber(ARGV[3])if B('latch')then return{'kind',a,i}end if not h or j<c or j>g then return{'lost',a}end if j<g then return{'left',a,0}end if A>0 and redis.call('ZADD',d,'NX',0,b)==1 then A,f=A-1,math.max(f,a+ARGV[4]*1000)G()local u=C(O(redis.pcall))or C(x(redis.pcall))if u then redis.call('ZREM',d,b)return u end end return{'left',a,A}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["27f4655fc035edb36bea7e858910175fd11db894", "5b63831f4da0831fe855853e47e2a5a0680826ff"];
