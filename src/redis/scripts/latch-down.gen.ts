// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local E=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local i,o='z'..ARGV[2],tonumber(ARGV[3])if S('latch')then return{'kind',e,m}end if not s or o<t or o>r then return{'lost',e}end if o<r then return{'left',e,0}end if L>0 and redis.call('ZADD',d,'NX',0,i)==1 then L,l=L-1,math.max(l,e+ARGV[4]*1000)K()local r=X(redis.pcall)if r and r.err then redis.call('ZREM',d,i)return r end Z()end return{'left',e,L}",
  replies: "left left|lost|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["f1e032030be37b3a834b9b838fc1bc20240dc8c3", "aedc6df37538f41e53a0d9f0db99c141476f0654"];
