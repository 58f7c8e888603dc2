// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, waited: string | number, asked: string | number], LockAcquireReply> = {
  lua: "local E=tonumber(ARGV[4])local u='lock'local i,y=ARGV[2],ARGV[5]local N=KEYS[1]local M=redis.call('GET',N)local d,j=ARGV[1]+0,ARGV[9]+0 local s,t,o,A=(M or''):match('^lock 1 (%d+) %S+ %S* [^:]+:(%d+), .- (%d+) (%d+)$')if j<d and(t or 0)-d>0 and y==''and not M:find(i:sub(25),1,true)then local e=-j return{'held',e,t-j,j-s,o+0,A+0}end\n" + clock + fresh + record + lock + waited + "if S(u)then return{'kind',e,m}end if W(i)then return{'closed',e}end local n,a=F()local t=f[i]if not t then if a==0 then w(ARGV[8]*1000)r,G,H=math.max(r+1,e),y,ARGV[6]K()elseif y==''or y~=G then return{'held',e,n-e,math.max(e-r,0),x,p}elseif ARGV[7]=='0'then return{'not_reentrant',e,n-e}elseif a==64 then return{'too_many_holds',e}end a,t=a+1,e+ARGV[3]*1000 f[i],l=t,math.max(n,t)X()end return{'granted',e,r,t-e,a}",
  replies: "granted token remaining holds|held remaining age tenure queue|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["33b4629e7e8197aa709fa0b767b8460ae9eb4484", "04db9fee71315a7dd595d9d5019ea6a1e669aaee"];
