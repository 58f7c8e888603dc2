// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local r=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + "local d,b='z'..ARGV[2],tonumber(ARGV[3])if B('latch')then return{'kind',a,h}end if not j or b<e or b>f then return{'lost',a}end if b<f then return{'left',a,0}end if u>0 and redis.call('ZADD',i,'NX',0,d)==1 then u,g=u-1,math.max(g,a+ARGV[4]*1000)E()local b=y(redis.pcall)if b and b.err then redis.call('ZREM',i,d)return b end O()end return{'left',a,u}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9a0803f482cd9f56af634748c77f308138b7404a", "a7c20cff192f1aa6c6a75da94784ab3d1b49d258"];
