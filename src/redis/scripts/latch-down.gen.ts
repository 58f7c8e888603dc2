// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + crowd + "local u,bF='z'..ARGV[2],tonumber(ARGV[3])if L('latch')then return{'kind',a,k}end if not bN or bF<aW or bF>h then return{'lost',a}end if bF<h then return{'left',a,0}end if t>0 and redis.call('ZADD',j,'NX',0,u)==1 then t,i=t-1,math.max(i,a+ARGV[4]*1000)H()local W=C(redis.pcall)if W and W.err then redis.call('ZREM',j,u)return W end ae()end return{'left',a,t}",
  replies: "left left#|lost|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["9404ffda337ee0538b0c4dd834e034a37363986c", "48948883b962b06d363bb5e30126b4d27dbcd975"];
