// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\n" + crowd + "\nlocal v,bi='z'..ARGV[2],tonumber(ARGV[3])if N('latch')then return{'kind',a,m}end if not bq or bi<aK or bi>g then return{'lost',a}end if bi<g then return{'left',a,0}end if s>0 and redis.call('ZADD',j,'NX',0,v)==1 then s,i=s-1,math.max(i,a+ARGV[4]*1000)y()local W=x(ARGV[5],redis.pcall)if W and W.err then redis.call('ZREM',j,v)return W end S(ARGV[5])end return{'left',a,s}",
  sha: ["39e2007ab133c53b0cc78e8b902aa8d82c10cfc1", "1924faafcc9deb1224ff6df4956adb694e2b464a"],
  replies: ["left left#", "lost", "kind kind", "late"],
  fresh: true,
};
