// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\n" + crowd + "\nlocal E,bz='z'..ARGV[2],tonumber(ARGV[3])if J('latch')then return{'kind',a,k}end if not bI or bz<aV or bz>h then return{'lost',a}end if bz<h then return{'left',a,0}end if D>0 and redis.call('ZADD',j,'NX',0,E)==1 then D,i=D-1,math.max(i,a+ARGV[4]*1000)G()local W=z(redis.pcall)if W and W.err then redis.call('ZREM',j,E)return W end ad()end return{'left',a,D}",
  replies: ["left left#", "lost", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["8f1fa5248697c320d265f9eef61256336e477346", "3a5af4f93a5d2fa47410688a1adcdb2ef1ce32ba"];
