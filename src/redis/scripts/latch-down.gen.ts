// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: "local y=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\n" + crowd + "\nlocal E,by='z'..ARGV[2],tonumber(ARGV[3])if N('latch')then return{'kind',a,l}end if not bH or by<aU or by>h then return{'lost',a}end if by<h then return{'left',a,0}end if D>0 and redis.call('ZADD',i,'NX',0,E)==1 then D,j=D-1,math.max(j,a+ARGV[4]*1000)F()local V=z(redis.pcall)if V and V.err then redis.call('ZREM',i,E)return V end ad()end return{'left',a,D}",
  sha: ["af1dda603f6b5f362ef0697bac3c3af9cd0f7333", "cd8e0c1bbfd013edb5e4085758e48a2f13f28b33"],
  replies: ["left left#", "lost", "kind kind", "late"],
  fresh: true,
};
