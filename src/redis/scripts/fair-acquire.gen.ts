// Generated from lua/fair-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, lock, one, queue, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, label: string | number, reentrant: string | number, ticket: string | number, grace: string | number], FairAcquireReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + "local c='fair'\n" + lock + queue + "local t,h,F=ARGV[2],ARGV[5],tonumber(ARGV[8])if j(c)then return{'kind',e,d}end if q(t)then return{'closed',e}end local u,a=K()local k,O=math.max(u-e,0),math.max(e-l,0)local n=f[t]if not n then if a>0 and h~=''and h==B then if ARGV[7]=='0'then return{'not_reentrant',e,k}end if a==64 then return{'too_many_holds',e}end else local c,n,A=nil,0,0 if F<0 then n=em()else local m=redis.call('ZRANGEBYSCORE',i,-e,e,'LIMIT',0,8)eh(m,t)c,n=ep(t)if F>0 and c~=F then return{'held',e,k,O,g,n,1,0}end A=#m==8 and H or eo(n,g,O,k)end if a>0 or n>0 then if F>=0 then if not c then c=math.max(D+1,e)D=c end ei(t,c,A,ARGV[9])z()L()y()end return{'held',e,k,O,g,n,A,c or 0}end end if a==0 then l,B,Q=math.max(l+1,e),h,ARGV[6]end n=e+ARGV[3]*1000 f[t],r,a=n,math.max(r,n),a+1 z()er(t)y()end return{'granted',e,l,n-e,a}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|not_reentrant remaining#|too_many_holds|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["62d5840523dbf1698b84fd01f69d14ea14c90c77", "ede11d0c8ca19a0cf6a12ff8d0dd7a3d81edbe72"];
