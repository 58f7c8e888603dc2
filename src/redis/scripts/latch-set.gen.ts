// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\nlocal b,q=ARGV[2],v(ARGV[2])if F('latch')then return{'kind',a,m}end if q=='n'then return{'refused',a}end if q or n[b]then return{'set',a}end if s>0 then A(b,'n')w(ARGV[5])return{'refused',a}end redis.call('ZCARD',KEYS[2])for cp in pairs(n)do A(cp,'s')end g=math.max(g+1,a)i=math.max(i,a+ARGV[4]*1000)s,aT,n[b]=ARGV[3],ARGV[3],i if not br then aK=g end y()w(ARGV[5])redis.call('UNLINK',KEYS[2])return{'set',a}",
  sha: ["9b2b374fc23701846cf3438763201000fb50ebe5", "af1f791d7a955e0beb985dbebbc959042fa74eec"],
  replies: ["set", "refused", "kind kind", "late"],
  fresh: true,
};
