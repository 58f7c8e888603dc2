// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local t,o='z'..ARGV[2],tonumber(ARGV[3])if z('latch')then return{'kind',e,d}end if not s or o<n or o>l then return{'lost',e}end if o<l then return{'left',e,0}end if w>0 and redis.call('ZADD',i,'NX',0,t)==1 then w,r=w-1,math.max(r,e+ARGV[4]*1000)C()local l=j(redis.pcall)if l and l.err then redis.call('ZREM',i,t)return l end N()end return{'left',e,w}",
  replies: "left left|lost|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["c4408ffa0df8714d2f24cad0fbb894f65543fefd", "d3f7aec8aace142d455eae4fbaa2ba372d98826f"];
