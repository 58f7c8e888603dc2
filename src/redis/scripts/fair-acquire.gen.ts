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

export const fairAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, note: string | number, reentrant: string | number, ticket: string | number, grace: string | number], FairAcquireReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + "local m='fair'\n" + lock + queue + "local t,h,N=ARGV[2],ARGV[5],tonumber(ARGV[8])if q(m)then return{'kind',e,d}end if j(t)then return{'closed',e}end local u,a=K()local g,S=math.max(u-e,0),math.max(e-l,0)local n=f[t]if not n then if a>0 and h~=''and h==B then if ARGV[7]=='0'then return{'not_reentrant',e,g}end if a==64 then return{'too_many_holds',e}end else local m,n,A=nil,0,0 if N<0 then n=em()else local c=redis.call('ZRANGEBYSCORE',i,-e,e,'LIMIT',0,8)eh(c,t)m,n=ep(t)if N>0 and m~=N then return{'held',e,g,S,x,n,1,0}end A=#c==8 and L or eo(n,x,S,g)end if a>0 or n>0 then if N>=0 then if not m then m=math.max(E+1,e)E=m end ei(t,m,A,ARGV[9])z()J()v()end return{'held',e,g,S,x,n,A,m or 0}end end if a==0 then l,B,O=math.max(l+1,e),h,ARGV[6]end n=e+ARGV[3]*1000 f[t],r,a=n,math.max(r,n),a+1 z()er(t)v()end return{'granted',e,l,n-e,a}",
  replies: "granted token remaining holds|held remaining age tenure ahead back ticket|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6cda21ee81c4899d05019ab8066b3271a0719642", "fc592bafecabf1aec520477a0d8fb18a8f4459c0"];
