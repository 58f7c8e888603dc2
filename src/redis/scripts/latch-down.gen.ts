// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + "local d,b='z'..ARGV[2],tonumber(ARGV[3])if z('latch')then return{'kind',a,h}end if not j or b<e or b>f then return{'lost',a}end if b<f then return{'left',a,0}end if y>0 and redis.call('ZADD',i,'NX',0,d)==1 then y,g=y-1,math.max(g,a+ARGV[4]*1000)D()local b=x(redis.pcall)if b and b.err then redis.call('ZREM',i,d)return b end O()end return{'left',a,y}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["94ecc62c2726a023b1750313523ed58210860ad6", "5fc8d6866ad184978a3c011d419418f81a2e3e9c"];
