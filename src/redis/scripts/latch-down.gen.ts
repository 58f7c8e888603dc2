// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local y=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local t,bB='z'..ARGV[2],tonumber(ARGV[3])if K('latch')then return{'kind',a,k}end if not bK or bB<aU or bB>h then return{'lost',a}end if bB<h then return{'left',a,0}end if E>0 and redis.call('ZADD',j,'NX',0,t)==1 then E,i=E-1,math.max(i,a+ARGV[4]*1000)H()local W=B(redis.pcall)if W and W.err then redis.call('ZREM',j,t)return W end ad()end return{'left',a,E}",
  replies: "left left#|lost|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["38030fec874853f77e3ea19c1bfcf4fba1f6074f", "83574f89c0da787c8c60fe4ab90c6e4b404c68ec"];
