// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + "local t,h=ARGV[2],q(ARGV[2])if z('latch')then return{'kind',e,d}end if h=='N'then return{'refused',e}end if h or f[t]then return{'set',e}end if w>0 then F(t,'N')j()return{'refused',e}end redis.call('ZCARD',KEYS[2])for e in pairs(f)do F(e,'S')end l=math.max(l+1,e)r=math.max(r,e+ARGV[4]*1000)w,a,f[t]=ARGV[3],ARGV[3],r if not s then n=l end D()j()redis.call('UNLINK',KEYS[2])return{'set',e}",
  replies: "set|refused|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["2a0436c33f6d51418434165223e57c85d25c3ee7", "9bbe7751523c371211d91c792bb431e527720b7e"];
