// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local t,f=ARGV[2],ARGV[3]if C(f)then return{'kind',e,d}end if not q(t)then local n=f=='fair'and next(m)and redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]local a=false if f=='latch'then redis.call('ZCARD',i)elseif not n then a=Y()end local j=r>e and(f~='fair'and f~='rw'or next(m)or a)for e in pairs(m)do F(e,'F')end F(t,j and'F'or'N')d,l,r,x=f,math.max(l+1,e),n and-n or 0,n and x or''R(true)if f=='latch'then redis.call('UNLINK',i)else K()end end return{'forced',e,l,q(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["3e78b2fe0be93b49efd4c9596c93d7827ea5f052", "12f531d05f59a7d5636ad89b0ab06ee3f1314751"];
