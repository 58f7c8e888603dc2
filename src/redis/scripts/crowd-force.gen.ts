// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local b,n=ARGV[2],ARGV[3]if L(n)then return{'kind',a,k}end if not G(b)then local bi=n=='fair'and next(o)and redis.call('ZRANGEBYSCORE',j,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]local cm=false if n=='latch'then redis.call('ZCARD',j)elseif not bi then cm=bI()end local ad=i>a and(n~='fair'and n~='rw'or next(o)or cm)for aE in pairs(o)do V(aE,'F')end V(b,ad and'F'or'N')k,h,i,I=n,math.max(h+1,a),bi and-bi or 0,bi and I or''aB(true)if n=='latch'then redis.call('UNLINK',j)else ae()end end return{'forced',a,h,G(b)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["c66aa42825deb2bde87fe6aca7bb055c40882ff9", "fc409de763aeb7037532653e8c9ea75a88e66a44"];
