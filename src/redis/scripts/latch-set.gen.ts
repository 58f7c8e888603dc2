// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + "local b,o=ARGV[2],t(ARGV[2])if z('latch')then return{'kind',a,h}end if o=='N'then return{'refused',a}end if o or l[b]then return{'set',a}end if y>0 then I(b,'N')w()return{'refused',a}end redis.call('ZCARD',KEYS[2])V('S')e=math.max(e+1,a)g=math.max(g,a+ARGV[4]*1000)y,c,l[b]=ARGV[3],ARGV[3],g if not j then f=e end D()w()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["7781bd7e22a701c4ad3939b05b1b5b839dc40c46", "6c02ffac2e5a1446de48fcec655abf1264aca1ac"];
