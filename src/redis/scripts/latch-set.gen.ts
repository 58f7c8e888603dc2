// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + "local b,p=ARGV[2],u(ARGV[2])if z('latch')then return{'kind',a,h}end if p=='N'then return{'refused',a}end if p or m[b]then return{'set',a}end if y>0 then I(b,'N')v()return{'refused',a}end redis.call('ZCARD',KEYS[2])Y('S')g=math.max(g+1,a)e=math.max(e,a+ARGV[4]*1000)y,c,m[b]=ARGV[3],ARGV[3],e if not f then d=g end F()v()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["cbde5311c87f9e7a0f8e1109ca95be8f475005fe", "05f05cb4260e48845bfca4ebf1b75b8de6620c80"];
