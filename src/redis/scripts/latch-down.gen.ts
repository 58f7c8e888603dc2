// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local u,bH='z'..ARGV[2],tonumber(ARGV[3])if N('latch')then return{'kind',a,k}end if not bP or bH<aW or bH>h then return{'lost',a}end if bH<h then return{'left',a,0}end if t>0 and redis.call('ZADD',j,'NX',0,u)==1 then t,i=t-1,math.max(i,a+ARGV[4]*1000)K()local X=D(redis.pcall)if X and X.err then redis.call('ZREM',j,u)return X end af()end return{'left',a,t}",
  replies: "left left#|lost|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["17b87356b5119cba3755d9ad31a0eba3b0af7333", "385b2081a11db50751ab648c178a2291941b5735"];
