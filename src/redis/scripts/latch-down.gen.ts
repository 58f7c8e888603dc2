// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local a,t='z'..ARGV[2],tonumber(ARGV[3])if z('latch')then return{'kind',e,d}end if not s or t<n or t>l then return{'lost',e}end if t<l then return{'left',e,0}end if g>0 and redis.call('ZADD',i,'NX',0,a)==1 then g,r=g-1,math.max(r,e+ARGV[4]*1000)A()local t=v(redis.pcall)if t and t.err then redis.call('ZREM',i,a)return t end K()end return{'left',e,g}",
  replies: "left left#|lost|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["78400d2f5c09b40710eb9d6f77e4426ca04c7dee", "5a405a44836392c6c3f7523eacb314bb82971e9f"];
