// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local a,t='z'..ARGV[2],tonumber(ARGV[3])if j('latch')then return{'kind',e,d}end if not s or t<n or t>l then return{'lost',e}end if t<l then return{'left',e,0}end if k>0 and redis.call('ZADD',i,'NX',0,a)==1 then k,r=k-1,math.max(r,e+ARGV[4]*1000)A()local t=g(redis.pcall)if t and t.err then redis.call('ZREM',i,a)return t end L()end return{'left',e,k}",
  replies: "left left#|lost|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["e025c34121dfcb7f0d1a17f92d985832209ca413", "26b0d61e317a474b9dea85c706bcdd6ea1f45ccf"];
