// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local t,c=ARGV[2],ARGV[3]if x(c)then return{'kind',e,d}end if not j(t)then local n=c=='fair'and next(f)and redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]local a=false if c=='latch'then redis.call('ZCARD',i)elseif not n then a=Y()end local A=r>e and(c~='fair'and c~='rw'or next(f)or a)for e in pairs(f)do G(e,'F')end G(t,A and'F'or'N')d,l,r,z=c,math.max(l+1,e),n and-n or 0,n and z or''S(true)if c=='latch'then redis.call('UNLINK',i)else K()end end return{'forced',e,l,j(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6f77741d78ac37f31db3c11227271672554707f9", "790948763b07b557d3b63bb58d2ac722309c47d2"];
