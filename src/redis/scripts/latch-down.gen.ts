// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\n" + crowd + "\nlocal z,br='z'..ARGV[2],tonumber(ARGV[3])if G('latch')then return{'kind',a,m}end if not bz or br<aR or br>h then return{'lost',a}end if br<h then return{'left',a,0}end if s>0 and redis.call('ZADD',j,'NX',0,z)==1 then s,i=s-1,math.max(i,a+ARGV[4]*1000)A()local ac=y(ARGV[5],redis.pcall)if ac and ac.err then redis.call('ZREM',j,z)return ac end V(ARGV[5])end return{'left',a,s}",
  sha: ["6e42b9c101fcc106676d2eaab336398cf4c7e698", "568a6044fd8f57028c8adbce37a17b1111d336b3"],
  replies: ["left left#", "lost", "kind kind", "late"],
  fresh: true,
};
