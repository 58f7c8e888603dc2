// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local k=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local a,t='z'..ARGV[2],tonumber(ARGV[3])if B('latch')then return{'kind',e,d}end if not s or t<n or t>o then return{'lost',e}end if t<o then return{'left',e,0}end if b>0 and redis.call('ZADD',i,'NX',0,a)==1 then b,r=b-1,math.max(r,e+ARGV[4]*1000)z()local t=v(redis.pcall)if t and t.err then redis.call('ZREM',i,a)return t end K()end return{'left',e,b}",
  replies: "left left#|lost|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["311e2f2a8e309a6db5a37adf10615a1b0de7e15a", "33b90bcb8fc5c0b0bebd8b4432ca4f662a076e4b"];
