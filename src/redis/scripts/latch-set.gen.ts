// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + "local b,o=ARGV[2],y(ARGV[2])if A('latch')then return{'kind',a,h}end if o=='N'then return{'refused',a}end if o or l[b]then return{'set',a}end if u>0 then E(b,'N')x()return{'refused',a}end redis.call('ZCARD',KEYS[2])for a in pairs(l)do E(a,'S')end f=math.max(f+1,a)g=math.max(g,a+ARGV[4]*1000)u,d,l[b]=ARGV[3],ARGV[3],g if not j then c=f end D()x()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["79db11efa69caa739a0e542e0f50958f8d6f6c67", "aed09773241be25c9da227b9013fd6f2363882f5"];
