// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local y=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + "local b,p=ARGV[2],F(ARGV[2])if K('latch')then return{'kind',a,k}end if p=='N'then return{'refused',a}end if p or o[b]then return{'set',a}end if E>0 then U(b,'N')B()return{'refused',a}end redis.call('ZCARD',KEYS[2])for cS in pairs(o)do U(cS,'S')end h=math.max(h+1,a)i=math.max(i,a+ARGV[4]*1000)E,bi,o[b]=ARGV[3],ARGV[3],i if not bK then aU=h end H()B()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: "set|refused|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["d6d1aa7fa5891abee53a701d7dacee9db32aecf9", "fc9a75280d991ab465e9ca923892b5ae73eb8d93"];
