// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local b,n=ARGV[2],ARGV[3]if N(n)then return{'kind',a,k}end if not I(b)then local bj=n=='fair'and next(o)and redis.call('ZRANGEBYSCORE',j,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]local co=false if n=='latch'then redis.call('ZCARD',j)elseif not bj then co=bK()end local ae=i>a and(n~='fair'and n~='rw'or next(o)or co)for aD in pairs(o)do W(aD,'F')end W(b,ae and'F'or'N')k,h,i,G=n,math.max(h+1,a),bj and-bj or 0,bj and G or''aA(true)if n=='latch'then redis.call('UNLINK',j)else af()end end return{'forced',a,h,I(b)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["9b2e4d343d4dd76310b48df8d24a413007aafc93", "e18f49e9ba25159ef923f8bbd8ab6185fa438e1d"];
