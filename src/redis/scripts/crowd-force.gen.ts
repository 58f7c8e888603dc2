// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local t,m=ARGV[2],ARGV[3]if q(m)then return{'kind',e,d}end if not j(t)then local n=m=='fair'and next(f)and redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]local a=false if m=='latch'then redis.call('ZCARD',i)elseif not n then a=R()end local A=r>e and(m~='fair'and m~='rw'or next(f)or a)for e in pairs(f)do F(e,'F')end F(t,A and'F'or'N')d,l,r,y=m,math.max(l+1,e),n and-n or 0,n and y or''S(true)if m=='latch'then redis.call('UNLINK',i)else J()end end return{'forced',e,l,j(t)=='F'and 1 or 0}",
  replies: "forced token had|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["d48ef926a907aa1addbd3bd0dcbce090884bab20", "0259b7d34c341dc2c525868f87d88de5797f690e"];
