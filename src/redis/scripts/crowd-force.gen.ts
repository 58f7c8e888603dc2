// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local y=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local b,n=ARGV[2],ARGV[3]if K(n)then return{'kind',a,k}end if not F(b)then local bg=n=='fair'and next(o)and redis.call('ZRANGEBYSCORE',j,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]local ci=false if n=='latch'then redis.call('ZCARD',j)elseif not bg then ci=bE()end local V=i>a and(n~='fair'and n~='rw'or next(o)or ci)for aD in pairs(o)do U(aD,'F')end U(b,V and'F'or'N')k,h,i,I=n,math.max(h+1,a),bg and-bg or 0,bg and I or''aB(true)if n=='latch'then redis.call('UNLINK',j)else ad()end end return{'forced',a,h,F(b)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["0aa48550b6286ba26fcb9546caaac83de47f233a", "c76910c54d661b9080f7a75594d90cc4bda2dbf6"];
