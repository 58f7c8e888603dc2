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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal w=tonumber(ARGV[4])local n,b,Z='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,aE,bB,bv,aO=0,c,0,{},{}for p,al in ipairs(KEYS)do local ap=bj[p]\n" + record + "\n" + lock + "\nif J(n)then return{'kind',a,k}end if F(b)then return{'closed',a}end local u,d=aq()local aw=o[b]if d>0 then if not aw then if Z==''or Z~=an then return{'held',a,u-a,math.max(a-h,0),s,L}end if ARGV[7]=='0'then return{'owned',a,u-a}end if d==64 then return{'full',a,d}end end g=math.max(g,h)table.insert(bv,h)else g=math.max(g,h+1,a)end bB=math.max(bB,aw and d or d+1)if aw then aE=math.min(aE,aw)else table.insert(aO,bj[p]and#aO+1 or 1,function()if d==0 then if i>0 then local cF=(ARGV[8]*1000-L)/8 L=math.max(L+math.min(cF,3*s)-(a-i),0)end an,aK=Z,ARGV[6]G()end h,o[b],i=g,c,math.max(u,c)return z(redis.pcall),al end)end end for X,h in ipairs(bv)do if h~=g or#bv<#KEYS then return{'owned',a,0}end end local cu={}for X,z in ipairs(aO)do local W,al=z()if W and W.err then for X,cP in ipairs(cu)do redis.call('DEL',cP)end return W end table.insert(cu,al)end return{'granted',a,g,aE-a,bB}",
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["519e93408c11417095986305587d61858a343429", "b7f3ba7b983eca5c6e34ace3d39620fe9c917f2f"];
