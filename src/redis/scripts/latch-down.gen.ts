// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + "local d,b='z'..ARGV[2],tonumber(ARGV[3])if z('latch')then return{'kind',a,h}end if not j or b<f or b>e then return{'lost',a}end if b<e then return{'left',a,0}end if y>0 and redis.call('ZADD',i,'NX',0,d)==1 then y,g=y-1,math.max(g,a+ARGV[4]*1000)D()local b=w(redis.pcall)if b and b.err then redis.call('ZREM',i,d)return b end N()end return{'left',a,y}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["da10e1adb30dbe5d6ceb1077dd7a19c3312390bd", "5ea1e248cfaca31af0ec5bc123422bfbd60a210f"];
