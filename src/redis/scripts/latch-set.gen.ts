// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\nlocal b,q=ARGV[2],w(ARGV[2])if G('latch')then return{'kind',a,m}end if q=='n'then return{'refused',a}end if q or o[b]then return{'set',a}end if s>0 then C(b,'n')y(ARGV[5])return{'refused',a}end redis.call('ZCARD',KEYS[2])for cE in pairs(o)do C(cE,'s')end h=math.max(h+1,a)i=math.max(i,a+ARGV[4]*1000)s,bb,o[b]=ARGV[3],ARGV[3],i if not bz then aR=h end A()y(ARGV[5])redis.call('UNLINK',KEYS[2])return{'set',a}",
  sha: ["e7ba33e92717b379be2c19dcc8285da5b3c66938", "ff2e175fbdd3fd746a479217d2c4b9c118c71faf"],
  replies: ["set", "refused", "kind kind", "late"],
  fresh: true,
};
