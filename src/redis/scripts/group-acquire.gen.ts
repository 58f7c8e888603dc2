// Generated from lua/group-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, record, records, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const groupAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, waited: string | number], GroupAcquireReply> = {
  lua: clock + fresh + records + "local E=tonumber(ARGV[4])local u,i,y='lock',ARGV[2],ARGV[5]local t=e+ARGV[3]*1000 local o,O,h,s,L,T,A=0,t,0,{},{}for d,N in ipairs(KEYS)do local M=g[d]\n" + record + lock + waited + "if S(u)then return{'kind',e,m}end if W(i)then return{'closed',e}end local n,a=F()local k=f[i]if a==0 then o=math.max(o,r+1,e)elseif k or y~=''and y==G then if not k then if ARGV[7]=='0'then return{'not_reentrant',e,n-e}end if a==64 then return{'too_many_holds',e}end T=true end o=math.max(o,r)table.insert(s,r)else A=A or{'held',e,n-e,math.max(e-r,0),x,p}end h=math.max(h,k and a or a+1)if k then O=math.min(O,k)elseif not A then table.insert(L,g[d]and#L+1 or 1,function()if a==0 then w(ARGV[8]*1000)G,H=y,ARGV[6]K()end r,f[i],l=o,t,math.max(n,t)return X(redis.pcall),N end)end end if A then return T and{'not_reentrant',e,0}or A end for k,r in ipairs(s)do if r~=o or#s<#KEYS then return{'not_reentrant',e,0}end end local a={}for k,X in ipairs(L)do local r,N=X()if r and r.err then for k,e in ipairs(a)do redis.call('DEL',e)end return r end table.insert(a,N)end return{'granted',e,o,O-e,h}",
  replies: "granted token remaining holds|held remaining age tenure queue|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["dfe9c716795eab0748348b80ef91ee21974270c5", "93abf0ed546dbeea4c07c33f0dcc30b9173ce7d8"];
