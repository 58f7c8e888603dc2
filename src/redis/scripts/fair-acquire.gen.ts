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

export const fairAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, ticket: string | number, grace: string | number], FairAcquireReply> = {
  lua: "local E=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + "local u='fair'\n" + lock + fair + queue + "local i,y,A=ARGV[2],ARGV[5],tonumber(ARGV[8])if S(u)then return{'kind',e,m}end if W(i)then return{'closed',e}end local n,a=F()local L,D=math.max(n-e,0),math.max(e-r,0)local t,T=f[i],{'held',e,L,D,x,0,1,0}if not t then if a>0 and y~=''and y==G then if ARGV[7]=='0'then return{'not_reentrant',e,L}end if a==64 then return{'too_many_holds',e}end else local s,t,o='p'..i,0,{}local function r()local t=redis.call('ZREVRANGEBYSCORE',d,A+4.5e15,4.5e15,'WITHSCORES','LIMIT',0,101)return t[1]==s and t[2]-4.5e15==A and#t/2-1 end if A>0 then t=r()if not t then return T end if t>0 and a==0 then o=redis.call('ZRANGEBYSCORE',d,-e,e,'LIMIT',0,8)if o[1]then eh(o,i)t=r()end end elseif h>e and(A==0 or a==0)then t=eu()end if a>0 or t>0 then local u=0 if A>=0 then u=#o==8 and Y or er(t,x,g,D,L)local a,C=e+u+ARGV[9]*1000,A==0 local r=C and t==0 or a>math.min(h,l)if C then A=math.max(p+1,e)end if em(i,A,a)>1 then p=A elseif C then A,t=redis.call('ZSCORE',d,s)-4.5e15,math.max(t-1,0)end if r then h=math.max(h,2*a-e)l=math.max(l,h)redis.call('PEXPIRE',d,math.ceil((h-e)/1000)+E)end if C or r or J then k()X()end end return{'held',e,L,D,x,t,u,A}end if A==p then h=0 end end if a==0 then r,G,H=math.max(r+1,e),y,ARGV[6]end t=e+ARGV[3]*1000 f[i],l,a=t,math.max(l,t),a+1 k()if A>0 or a>1 then el(i)end X()end return{'granted',e,r,t-e,a}",
  replies: "granted token remaining holds|held remaining age tenure ahead back ticket|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["09816bf17aaf9c883d2cebd5109b8779c6111a25", "dab794cbe1ad9e81a01ab5a630e90d2fc6529887"];
