// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local E=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local i,u=ARGV[2],ARGV[3]if S(u)then return{'kind',e,m}end if not W(i)then local t=u=='fair'and next(f)and redis.call('ZRANGEBYSCORE',d,-4e15,-e,'WITHSCORES','LIMIT',0,1)[2]local a if u=='latch'then redis.call('ZCARD',d)elseif not t then a=j()end local L=l>e and(u~='fair'and u~='rw'or next(f)or a)for e in pairs(f)do B(e,'F')end B(i,L and'F'or'N')m,r,l,b=u,math.max(r+1,e),t and-t or 0,t and b or''C(true)if u=='latch'then redis.call('UNLINK',d)else Z()end end return{'forced',e,r,W(i)=='F'and 1 or 0}",
  replies: "forced token had|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["c99f20f7084e902fa48608d83b467db1f68671e9", "b0bfe810df177e206eb24f43eb1e057ac859521c"];
