// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, latch, listen, read_name, record, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + crowd + keep + failed + listen + wake + "local b,j='z'..ARGV[2],tonumber(ARGV[3])if D('latch')then return{'kind',a,i}end if not f or j<d or j>h then return{'lost',a}end if j<h then return{'left',a,0}end if x>0 and redis.call('ZADD',e,'NX',0,b)==1 then x,g=x-1,math.max(g,a+ARGV[4]*1000)F()if x==0 then ah()end local j=A(V(redis.pcall))or A(s(redis.pcall))if j then redis.call('ZREM',e,b)return j end end return{'left',a,x}",
  replies: {
    left: { left: "integer" },
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fddaf47289b9665091b2897cd6aa6346b01a1dba", "ba22615c6e62a15190262ed667b1c519a7c2116e"];
