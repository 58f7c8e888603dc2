// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local a,t='z'..ARGV[2],tonumber(ARGV[3])if C('latch')then return{'kind',e,d}end if not s or t<n or t>l then return{'lost',e}end if t<l then return{'left',e,0}end if u>0 and redis.call('ZADD',i,'NX',0,a)==1 then u,r=u-1,math.max(r,e+ARGV[4]*1000)A()local t=v(redis.pcall)if t and t.err then redis.call('ZREM',i,a)return t end K()end return{'left',e,u}",
  replies: "left left#|lost|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["2d04d972cfbbe9a872aa12c116584d2ee1f0cf03", "54d1e01b6c8f8427fe476dcd187a8114f7d7d737"];
