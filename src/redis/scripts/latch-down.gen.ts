// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\n" + crowd + "\nlocal E,bz='z'..ARGV[2],tonumber(ARGV[3])if J('latch')then return{'kind',a,k}end if not bI or bz<aU or bz>h then return{'lost',a}end if bz<h then return{'left',a,0}end if D>0 and redis.call('ZADD',j,'NX',0,E)==1 then D,i=D-1,math.max(i,a+ARGV[4]*1000)G()local W=z(redis.pcall)if W and W.err then redis.call('ZREM',j,E)return W end ad()end return{'left',a,D}",
  replies: ["left left#", "lost", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["9cff5d9e6433e2e0c5029d74d2ea3f59ee7da848", "41de15957f2289d548b83310126561b5a9ca16f6"];
