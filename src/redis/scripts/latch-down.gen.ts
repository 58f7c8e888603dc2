// Generated from lua/latch-down.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchDownReply =
  | { readonly status: "left"; readonly now: number; readonly left: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchDown: Script<readonly [id: string | number, generation: string | number, ttl: string | number, retention: string | number], LatchDownReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\n" + crowd + "\nlocal x,bi='z'..ARGV[2],tonumber(ARGV[3])if F('latch')then return{'kind',a,m}end if not br or bi<aK or bi>g then return{'lost',a}end if bi<g then return{'left',a,0}end if s>0 and redis.call('ZADD',k,'NX',0,x)==1 then s,i=s-1,math.max(i,a+ARGV[4]*1000)y()local W=w(ARGV[5],redis.pcall)if W and W.err then redis.call('ZREM',k,x)return W end S(ARGV[5])end return{'left',a,s}",
  sha: ["3ccdbf9519749d098d87bf8c6a3b8fe0bc114f32", "59d1a9ee8fa6abe45f2acacf3453b55913263d67"],
  replies: ["left left#", "lost", "kind kind", "late"],
  fresh: true,
};
