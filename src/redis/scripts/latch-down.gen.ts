// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local r=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + "local b,j='z'..ARGV[2],tonumber(ARGV[3])if z('latch')then return{'kind',a,h}end if not e or j<d or j>f then return{'lost',a}end if j<f then return{'left',a,0}end if y>0 and redis.call('ZADD',i,'NX',0,b)==1 then y,g=y-1,math.max(g,a+ARGV[4]*1000)E()local f=x(redis.pcall)if f and f.err then redis.call('ZREM',i,b)return f end N()end return{'left',a,y}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ca539c1ab4bea6c9ecce0f6291c0b930f9a2a696", "5029d27202267e103d3b41fbae124684b7b81cc7"];
