// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local t,m=ARGV[2],ARGV[3]if z(m)then return{'kind',e,d}end if not q(t)then local o=m=='fair'and next(f)and redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]local n=false if m=='latch'then redis.call('ZCARD',i)elseif not o then n=K()end local w=r>e and(m~='fair'and m~='rw'or next(f)or n)for e in pairs(f)do E(e,'F')end E(t,w and'F'or'N')d,l,r,k=m,math.max(l+1,e),o and-o or 0,o and k or''S(true)if m=='latch'then redis.call('UNLINK',i)else N()end end return{'forced',e,l,q(t)=='F'and 1 or 0}",
  replies: "forced token had|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["fd63ca8a16073c31f8c7a8a27f918d32264234d5", "40a37582807302d1272b2a8ee9b16f0d96bf3277"];
