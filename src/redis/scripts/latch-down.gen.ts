// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, latch, listen, read_name, record, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + keep + failed + listen + wake + "local b,i='z'..ARGV[2],tonumber(ARGV[3])if E('latch')then return{'kind',a,j}end if not f or i<e or i>g then return{'lost',a}end if i<g then return{'left',a,0}end if A>0 and redis.call('ZADD',d,'NX',0,b)==1 then A,h=A-1,math.max(h,a+ARGV[4]*1000)H()if A==0 then ah()end local i=B(V(redis.pcall))or B(s(redis.pcall))if i then redis.call('ZREM',d,b)return i end end return{'left',a,A}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["cd17a0d8bf396e490a55f4b62ff1bc0a982ee24e", "f6e584360ad2fc449e3d68562ecc8ec4b1f3a3b6"];
