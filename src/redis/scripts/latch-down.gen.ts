// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\n" + crowd + "\nlocal y,bk='z'..ARGV[2],tonumber(ARGV[3])if F('latch')then return{'kind',a,m}end if not bs or bk<aL or bk>g then return{'lost',a}end if bk<g then return{'left',a,0}end if s>0 and redis.call('ZADD',j,'NX',0,y)==1 then s,i=s-1,math.max(i,a+ARGV[4]*1000)z()local Y=x(ARGV[5],redis.pcall)if Y and Y.err then redis.call('ZREM',j,y)return Y end S(ARGV[5])end return{'left',a,s}",
  sha: ["521e0e21abbd75e998ceb9b5d5d144d4a75ab816", "b454513542c14621c8db47f3424bb84c0d27d3a0"],
  replies: ["left left#", "lost", "kind kind", "late"],
  fresh: true,
};
