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
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + "local m='fair'\n" + lock + fair + queue + "local t,h,B=ARGV[2],ARGV[5],tonumber(ARGV[8])if A(m)then return{'kind',e,d}end if z(t)then return{'closed',e}end local y,a=J()local w,N=math.max(y-e,0),math.max(e-l,0)local n,v=f[t],{'held',e,w,N,x,0,1,0}if not n then if a>0 and h~=''and h==G then if ARGV[7]=='0'then return{'not_reentrant',e,w}end if a==64 then return{'too_many_holds',e}end else local s,n,o,l,c='p'..t,0,{},{},nil local m=u==0 or e>R if B>0 then o=redis.call('ZRANGEBYSCORE',i,4.5e15,7e15,'WITHSCORES','LIMIT',0,2)c=o[1]==s and 2 or o[3]==s and 4 if c and o[c]-4.5e15~=B or not c and#o<4 then return v end n=c==4 and 1 or 0 elseif B==0 or a==0 then n=eh()end local d=B>0 and c~=2 and(not c or a==0)if d and a==0 or B==0 and m and u>0 then l=redis.call('ZRANGEBYSCORE',i,-e,e,'LIMIT',0,8)ep(l,t)end if d then local a=redis.call('ZREVRANGEBYSCORE',i,B+4.5e15,4.5e15,'LIMIT',0,33)if a[1]~=s then return v end n=#a<33 and#a-1 or el(B)end if a>0 or n>0 then local K=0 if B>=0 then K=#l==8 and O or er(n,x,L,N,w)local a,S=e+K+ARGV[9]*1000,B==0 local o=S and n==0 or a>math.min(u,r)if S then B=math.max(E+1,e)if ed(t,B,a)==2 then E=B else B,n=redis.call('ZSCORE',i,s)-4.5e15,math.max(n-1,0)end R=m and a or math.min(R,a)else redis.call('ZADD',i,'LT',-a,'w'..t)end if o then u=math.max(u,a+math.min(ARGV[9],b)*1000)r=math.max(r,u)redis.call('PEXPIRE',i,math.ceil((u-e)/1000)+b)end if S or o or U then P()j()end end return{'held',e,w,N,x,n,K,math.max(B,0)}end if#o<4 then u=0 end end if a==0 then l,G,T=math.max(l+1,e),h,ARGV[6]end n=e+ARGV[3]*1000 f[t],r,a=n,math.max(r,n),a+1 P()if B>0 or a>1 then ei(t)end j()end return{'granted',e,l,n-e,a}",
  replies: "granted token remaining holds|held remaining age tenure ahead back ticket|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["2eddd77bdad11d528a20a6180b8b8f9a5e470588", "dfeb8d09f4198867602162a69adaf3cc4efa5c79"];
