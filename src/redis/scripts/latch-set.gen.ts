// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\nlocal b,q=ARGV[2],v(ARGV[2])if F('latch')then return{'kind',a,m}end if q=='n'then return{'refused',a}end if q or o[b]then return{'set',a}end if s>0 then B(b,'n')x(ARGV[5])return{'refused',a}end redis.call('ZCARD',KEYS[2])for cp in pairs(o)do B(cp,'s')end g=math.max(g+1,a)i=math.max(i,a+ARGV[4]*1000)s,aU,o[b]=ARGV[3],ARGV[3],i if not bs then aL=g end z()x(ARGV[5])redis.call('UNLINK',KEYS[2])return{'set',a}",
  sha: ["2ebc902181bdf205c3263290b0b10dbd2f8d09e0", "61f8f659734ca4f2723de26e738b8142652e5aa1"],
  replies: ["set", "refused", "kind kind", "late"],
  fresh: true,
};
