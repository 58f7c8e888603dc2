// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local b,e='z'..ARGV[2],tonumber(ARGV[3])if A('latch')then return{'kind',a,h}end if not j or e<c or e>f then return{'lost',a}end if e<f then return{'left',a,0}end if u>0 and redis.call('ZADD',i,'NX',0,b)==1 then u,g=u-1,math.max(g,a+ARGV[4]*1000)D()local f=x(redis.pcall)if f and f.err then redis.call('ZREM',i,b)return f end O()end return{'left',a,u}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b9ffe3a4f406ae6231bec8076d787b367f827ce9", "fa387e25908eb26ceb1f5ddbdae6a0cdfb9e8a73"];
