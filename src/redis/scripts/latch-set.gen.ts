// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local y=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\nlocal b,q=ARGV[2],J(ARGV[2])if N('latch')then return{'kind',a,l}end if q=='N'then return{'refused',a}end if q or o[b]then return{'set',a}end if D>0 then aa(b,'N')z()return{'refused',a}end redis.call('ZCARD',KEYS[2])for cQ in pairs(o)do aa(cQ,'S')end h=math.max(h+1,a)j=math.max(j,a+ARGV[4]*1000)D,bh,o[b]=ARGV[3],ARGV[3],j if not bH then aU=h end F()z()redis.call('UNLINK',KEYS[2])return{'set',a}",
  sha: ["a32e1ffa53d55dc434869e63354d258956c494c2", "1bd27353390cc064527fd0c8fc266645bb900f06"],
  replies: ["set", "refused", "kind kind", "late"],
  fresh: true,
};
