// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local k=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local t,c=ARGV[2],ARGV[3]if B(c)then return{'kind',e,d}end if not j(t)then local n=c=='fair'and next(f)and redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]local a=false if c=='latch'then redis.call('ZCARD',i)elseif not n then a=R()end local q=r>e and(c~='fair'and c~='rw'or next(f)or a)for e in pairs(f)do F(e,'F')end F(t,q and'F'or'N')d,o,r,x=c,math.max(o+1,e),n and-n or 0,n and x or''S(true)if c=='latch'then redis.call('UNLINK',i)else K()end end return{'forced',e,o,j(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["bc2b9e2cd02853ccbcc065946226d3371ba8e06d", "7ed13f14129bf3124f2cb68992486542da9b0e4c"];
