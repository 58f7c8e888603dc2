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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal w=tonumber(ARGV[4])local n,b,Z='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,aF,bB,bv,aP,ch,ax=0,c,0,{},{}for p,al in ipairs(KEYS)do local aq=bk[p]\n" + record + "\n" + lock + "\nif J(n)then return{'kind',a,k}end if F(b)then return{'closed',a}end local u,d=ar()local an=o[b]if d==0 then g=math.max(g,h+1,a)elseif an or Z~=''and Z==ao then if not an then if ARGV[7]=='0'then return{'owned',a,u-a}end if d==64 then return{'full',a,d}end ch=true end g=math.max(g,h)table.insert(bv,h)else ax=ax or{'held',a,u-a,math.max(a-h,0),s,L}end bB=math.max(bB,an and d or d+1)if an then aF=math.min(aF,an)elseif not ax then table.insert(aP,bk[p]and#aP+1 or 1,function()if d==0 then if i>0 then local cG=(ARGV[8]*1000-L)/8 L=math.max(L+math.min(cG,3*s)-(a-i),0)end ao,aL=Z,ARGV[6]G()end h,o[b],i=g,c,math.max(u,c)return z(redis.pcall),al end)end end if ax then return ch and{'owned',a,0}or ax end for X,h in ipairs(bv)do if h~=g or#bv<#KEYS then return{'owned',a,0}end end local cv={}for X,z in ipairs(aP)do local W,al=z()if W and W.err then for X,cQ in ipairs(cv)do redis.call('DEL',cQ)end return W end table.insert(cv,al)end return{'granted',a,g,aF-a,bB}",
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["744ade739e66cf36cbbcd4ee4b2fff9c5928970f", "d476b7f6c2eb665d8f428e2c9e225cd0229e07ea"];
