// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\n" + crowd + "\nlocal z,bp='z'..ARGV[2],tonumber(ARGV[3])if G('latch')then return{'kind',a,m}end if not bw or bp<aR or bp>h then return{'lost',a}end if bp<h then return{'left',a,0}end if s>0 and redis.call('ZADD',j,'NX',0,z)==1 then s,i=s-1,math.max(i,a+ARGV[4]*1000)A()local ac=y(ARGV[5],redis.pcall)if ac and ac.err then redis.call('ZREM',j,z)return ac end T(ARGV[5])end return{'left',a,s}",
  sha: ["2626f41fe6f4816c88e486d35ce0f8830bbdb176", "25275ebeb39d7311a1c56801df4b0375c4ba00d1"],
  replies: ["left left#", "lost", "kind kind", "late"],
  fresh: true,
};
