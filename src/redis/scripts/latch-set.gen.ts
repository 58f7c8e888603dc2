// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + "local t,h=ARGV[2],q(ARGV[2])if z('latch')then return{'kind',e,d}end if h=='N'then return{'refused',e}end if h or f[t]then return{'set',e}end if w>0 then E(t,'N')j()return{'refused',e}end redis.call('ZCARD',KEYS[2])for e in pairs(f)do E(e,'S')end l=math.max(l+1,e)r=math.max(r,e+ARGV[4]*1000)w,a,f[t]=ARGV[3],ARGV[3],r if not s then n=l end C()j()redis.call('UNLINK',KEYS[2])return{'set',e}",
  replies: "set|refused|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["d64947c15174807340397a8952c9e976b29cb2b0", "9d34a153562c12fb0225eb0fc3a43e2f260b5f38"];
