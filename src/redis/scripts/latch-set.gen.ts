// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local E=tonumber(ARGV[5])\n" + clock + fresh + one + record + latch + "local i,h=ARGV[2],W(ARGV[2])if T('latch')then return{'kind',e,m}end if h=='N'then return{'refused',e}end if h or f[i]then return{'set',e}end if L>0 then B(i,'N')X()return{'refused',e}end redis.call('ZCARD',KEYS[2])for e in pairs(f)do B(e,'S')end r=math.max(r+1,e)l=math.max(l,e+ARGV[4]*1000)L,a,f[i]=ARGV[3],ARGV[3],l if not s then t=r end K()X()redis.call('UNLINK',KEYS[2])return{'set',e}",
  replies: "set|refused|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["7f002b46740914b61e4b113a17f5bb70454b6022", "5e1a3fce8032af1609d229c3e9e02c163dafb407"];
