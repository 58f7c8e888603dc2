// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + "local b,j='z'..ARGV[2],tonumber(ARGV[3])if A('latch')then return{'kind',a,h}end if not g or j<c or j>f then return{'lost',a}end if j<f then return{'left',a,0}end if z>0 and redis.call('ZADD',i,'NX',0,b)==1 then z,e=z-1,math.max(e,a+ARGV[4]*1000)G()local t=C(O(redis.pcall))or C(x(redis.pcall))if t then redis.call('ZREM',i,b)return t end end return{'left',a,z}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["8d162b5dc824a01e2e9e7eb226a76f9c04f3d0d3", "caa800e2d73da8cc0f877fec38629c90bb84e60c"];
