// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\nlocal b,q=ARGV[2],F(ARGV[2])if J('latch')then return{'kind',a,k}end if q=='N'then return{'refused',a}end if q or o[b]then return{'set',a}end if D>0 then U(b,'N')z()return{'refused',a}end redis.call('ZCARD',KEYS[2])for cS in pairs(o)do U(cS,'S')end h=math.max(h+1,a)i=math.max(i,a+ARGV[4]*1000)D,bi,o[b]=ARGV[3],ARGV[3],i if not bI then aV=h end G()z()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: ["set", "refused", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["b8ff3bb629fa059d2784a1a05ae287ef5048266e", "8339c60fd008d3619202a0679c04d494fc5aa3c2"];
