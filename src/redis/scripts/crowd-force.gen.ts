// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local t,c=ARGV[2],ARGV[3]if j(c)then return{'kind',e,d}end if not q(t)then local n=c=='fair'and next(f)and redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]local a=false if c=='latch'then redis.call('ZCARD',i)elseif not n then a=X()end local A=r>e and(c~='fair'and c~='rw'or next(f)or a)for e in pairs(f)do G(e,'F')end G(t,A and'F'or'N')d,l,r,w=c,math.max(l+1,e),n and-n or 0,n and w or''R(true)if c=='latch'then redis.call('UNLINK',i)else L()end end return{'forced',e,l,q(t)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["e4cc9aa05b73d1ba433c53604eb8bc5d9252c2df", "839d71bdf64b531cf35bef2d6f734f3341c9a820"];
