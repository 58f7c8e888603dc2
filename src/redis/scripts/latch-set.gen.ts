// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + "local b,p=ARGV[2],G(ARGV[2])if L('latch')then return{'kind',a,k}end if p=='N'then return{'refused',a}end if p or o[b]then return{'set',a}end if t>0 then V(b,'N')C()return{'refused',a}end redis.call('ZCARD',KEYS[2])for cY in pairs(o)do V(cY,'S')end h=math.max(h+1,a)i=math.max(i,a+ARGV[4]*1000)t,bk,o[b]=ARGV[3],ARGV[3],i if not bN then aW=h end H()C()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: "set|refused|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["0efdd1e28d11fcf34020b8ae1b5763b1914d87d5", "39e2808a85475ee7de3e2d495607b432ded5c762"];
