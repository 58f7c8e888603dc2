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
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + "local f='fair'\n" + lock + queue + "local t,h,H=ARGV[2],ARGV[5],tonumber(ARGV[8])if C(f)then return{'kind',e,d}end if q(t)then return{'closed',e}end local y,a=P()local u,Q=math.max(y-e,0),math.max(e-l,0)local n=m[t]if not n then if a>0 and h~=''and h==O then if ARGV[7]=='0'then return{'not_reentrant',e,u}end if a==64 then return{'too_many_holds',e}end else local f,n,B=nil,0,0 if H<0 then n=em()else local c=redis.call('ZRANGEBYSCORE',i,-e,e,'LIMIT',0,8)eh(c,t)f,n=ep(t)if H>0 and f~=H then return{'held',e,u,Q,w,n,1,0}end B=#c==8 and G or eo(n,w,Q,u)end if a>0 or n>0 then if H>=0 then if not f then f=math.max(D+1,e)D=f end ei(t,f,B,ARGV[9])A()K()v()end return{'held',e,u,Q,w,n,B,f or 0}end end if a==0 then l,O,L=math.max(l+1,e),h,ARGV[6]end n=e+ARGV[3]*1000 m[t],r,a=n,math.max(r,n),a+1 A()er(t)v()end return{'granted',e,l,n-e,a}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|not_reentrant remaining#|too_many_holds|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["a07b38291c049430c056c45a5e6b892151f748ee", "1c29e6e798fb9d34dd1fa0258bcfeae495615ee8"];
