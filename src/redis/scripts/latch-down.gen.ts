// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + "local b,j='z'..ARGV[2],tonumber(ARGV[3])if z('latch')then return{'kind',a,h}end if not f or j<d or j>g then return{'lost',a}end if j<g then return{'left',a,0}end if y>0 and redis.call('ZADD',i,'NX',0,b)==1 then y,e=y-1,math.max(e,a+ARGV[4]*1000)F()local g=v(redis.pcall)if g and g.err then redis.call('ZREM',i,b)return g end N()end return{'left',a,y}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["cb5dab7c01518881354a36d1b019c3bba2dbbbbe", "05f00beb3307ed85b8ce6d50e06453572d48ae0c"];
