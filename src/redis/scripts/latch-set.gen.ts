// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + "local b,p=ARGV[2],u(ARGV[2])if y('latch')then return{'kind',a,h}end if p=='N'then return{'refused',a}end if p or l[b]then return{'set',a}end if z>0 then I(b,'N')v()return{'refused',a}end redis.call('ZCARD',KEYS[2])Y('S')f=math.max(f+1,a)e=math.max(e,a+ARGV[4]*1000)z,c,l[b]=ARGV[3],ARGV[3],e if not g then d=f end F()v()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f2b1ee6513850dd5dbce85317cd20986fa4c24c9", "fa4d6a3ee68706f6d95a1b31b3007d5fcd338e09"];
