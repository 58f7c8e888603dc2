// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\n" + crowd + "\nlocal y,bi='z'..ARGV[2],tonumber(ARGV[3])if N('latch')then return{'kind',a,m}end if not bq or bi<aK or bi>g then return{'lost',a}end if bi<g then return{'left',a,0}end if s>0 and redis.call('ZADD',j,'NX',0,y)==1 then s,i=s-1,math.max(i,a+ARGV[4]*1000)x()local W=w(ARGV[5],redis.pcall)if W and W.err then redis.call('ZREM',j,y)return W end S(ARGV[5])end return{'left',a,s}",
  sha: ["ebb09a2003057cbcc83bba538619a42ef6c368f9", "7bd8e075d365551ca43cc819e61de7c1c236d28a"],
  replies: ["left left#", "lost", "kind kind", "late"],
  fresh: true,
};
