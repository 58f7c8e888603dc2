// Generated from lua/fair-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fair, fresh, lock, one, queue, record } from "../parts.gen.ts";
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
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + "local m='fair'\n" + lock + fair + queue + "local t,h,c=ARGV[2],ARGV[5],tonumber(ARGV[8])if z(m)then return{'kind',e,d}end if q(t)then return{'closed',e}end local y,a=J()local w,P=math.max(y-e,0),math.max(e-l,0)local n,v=f[t],{'held',e,w,P,x,0,1,0}if not n then if a>0 and h~=''and h==A then if ARGV[7]=='0'then return{'not_reentrant',e,w}end if a==64 then return{'too_many_holds',e}end else local s,n,o,l='p'..t,0,{},{}if c>0 then o=redis.call('ZRANGEBYSCORE',i,4.5e15,7e15,'WITHSCORES','LIMIT',0,2)if o[1]~=s then if a==0 then l=redis.call('ZRANGEBYSCORE',i,-e,e,'LIMIT',0,8)eh(l,t)end local o=redis.call('ZREVRANGEBYSCORE',i,c+4.5e15,4.5e15,'LIMIT',0,101)if o[1]~=s then return v end n=#o-1 elseif o[2]-4.5e15~=c then return v end elseif c==0 or a==0 then n=em()end if a>0 or n>0 then local m=0 if c>=0 then m=#l==8 and Q or el(n,x,B,P,w)local a,S=e+m+ARGV[9]*1000,c==0 local o=S and n==0 or a>math.min(u,r)if S then c=math.max(D+1,e)end if ei(t,c,a)>1 then D=c elseif S then c,n=redis.call('ZSCORE',i,s)-4.5e15,math.max(n-1,0)end if o then u=math.max(u,2*a-e)r=math.max(r,u)redis.call('PEXPIRE',i,math.ceil((u-e)/1000)+b)end if S or o or T then H()j()end end return{'held',e,w,P,x,n,m,c}end if#o<4 then u=0 end end if a==0 then l,A,R=math.max(l+1,e),h,ARGV[6]end n=e+ARGV[3]*1000 f[t],r,a=n,math.max(r,n),a+1 H()if c>0 or a>1 then er(t)end j()end return{'granted',e,l,n-e,a}",
  replies: "granted token remaining holds|held remaining age tenure ahead back ticket|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["8b62963f533462b9933e46c6e545fec15de419d4", "3f85d7acb49db74786197c5672cbe41b533223b7"];
