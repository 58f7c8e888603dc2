// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + "local b,o=ARGV[2],u(ARGV[2])if z('latch')then return{'kind',a,h}end if o=='N'then return{'refused',a}end if o or l[b]then return{'set',a}end if y>0 then J(b,'N')x()return{'refused',a}end redis.call('ZCARD',KEYS[2])X('S')f=math.max(f+1,a)g=math.max(g,a+ARGV[4]*1000)y,c,l[b]=ARGV[3],ARGV[3],g if not j then e=f end D()x()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["0ee20fcce37a926437308c6312da2b3442eafdfb", "7b71fef6adbe097d6b243e07e1bf79a69ba8a471"];
