// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "owned"; readonly now: number; readonly remaining: number }
  | { readonly status: "full"; readonly now: number; readonly holds: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, label: string | number, reentrant: string | number, waited: string | number], LockAcquireReply> = {
  lua: clock + fresh + records + "local y=tonumber(ARGV[4])local n,b,Z='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,aE,bD,bw,aP,cj,ax=0,c,0,{},{}for q,al in ipairs(KEYS)do local aq=bk[q]\n" + record + lock + "if K(n)then return{'kind',a,k}end if F(b)then return{'closed',a}end local w,d=as()local an=o[b]if d==0 then g=math.max(g,h+1,a)elseif an or Z~=''and Z==ao then if not an then if ARGV[7]=='0'then return{'owned',a,w-a}end if d==64 then return{'full',a,d}end cj=true end g=math.max(g,h)table.insert(bw,h)else ax=ax or{'held',a,w-a,math.max(a-h,0),u,M}end bD=math.max(bD,an and d or d+1)if an then aE=math.min(aE,an)elseif not ax then table.insert(aP,bk[q]and#aP+1 or 1,function()if d==0 then if i>0 then local cI=(ARGV[8]*1000-M)/8 M=math.max(M+math.min(cI,3*u)-(a-i),0)end ao,aL=Z,ARGV[6]H()end h,o[b],i=g,c,math.max(w,c)return B(redis.pcall),al end)end end if ax then return cj and{'owned',a,0}or ax end for X,h in ipairs(bw)do if h~=g or#bw<#KEYS then return{'owned',a,0}end end local cx={}for X,B in ipairs(aP)do local W,al=B()if W and W.err then for X,cQ in ipairs(cx)do redis.call('DEL',cQ)end return W end table.insert(cx,al)end return{'granted',a,g,aE-a,bD}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|owned remaining#|full holds#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["2f0d813e854bbc71287f7dd29474cc4dc971684d", "9122340abbe8c02d223fb456bf5a0f0b3b429846"];
