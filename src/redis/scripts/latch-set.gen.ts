// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local E=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + "local i,y=ARGV[2],W(ARGV[2])if S('latch')then return{'kind',e,m}end if y=='N'then return{'refused',e}end if y or f[i]then return{'set',e}end if L>0 then B(i,'N')X()return{'refused',e}end redis.call('ZCARD',KEYS[2])for e in pairs(f)do B(e,'S')end r=math.max(r+1,e)l=math.max(l,e+ARGV[4]*1000)L,a,f[i]=ARGV[3],ARGV[3],l if not s then t=r end K()X()redis.call('UNLINK',KEYS[2])return{'set',e}",
  replies: "set|refused|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["d624e6fed66e86e7f040e3a3a6caedfec92209a1", "b47b2b7114d30f2123e4f6533dd4aedee8363f07"];
