// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + latch + "\nlocal b,q=ARGV[2],F(ARGV[2])if J('latch')then return{'kind',a,k}end if q=='N'then return{'refused',a}end if q or o[b]then return{'set',a}end if D>0 then U(b,'N')z()return{'refused',a}end redis.call('ZCARD',KEYS[2])for cR in pairs(o)do U(cR,'S')end h=math.max(h+1,a)i=math.max(i,a+ARGV[4]*1000)D,bh,o[b]=ARGV[3],ARGV[3],i if not bI then aU=h end G()z()redis.call('UNLINK',KEYS[2])return{'set',a}",
  replies: ["set", "refused", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["bed48df34182c0ae3ba4e4c86ceb36bc90d24fd6", "52c756b4a0ea1a43eb8bb4315e23e2e181517573"];
