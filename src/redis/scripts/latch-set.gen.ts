// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + "local b,p=ARGV[2],I(ARGV[2])if N('latch')then return{'kind',a,k}end if p=='N'then return{'refused',a}end if p or o[b]then return{'set',a}end if t>0 then W(b,'N')D()return{'refused',a}end redis.call('ZCARD',KEYS[2])for da in pairs(o)do W(da,'S')end h=math.max(h+1,a)i=math.max(i,a+ARGV[4]*1000)t,bl,o[b]=ARGV[3],ARGV[3],i if not bP then aW=h end K()D()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: "set|refused|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["c49b16617b0254c171185343be6a0fa5311d6ca0", "8f14c3cf066522f95f2bffcf7ff430a397750f83"];
