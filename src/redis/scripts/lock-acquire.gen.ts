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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal w=tonumber(ARGV[4])local n,b,Y='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,aE,bA,bv,aO=0,c,0,{},{}for p,al in ipairs(KEYS)do local ap=bj[p]\n" + record + "\n" + lock + "\nif J(n)then return{'kind',a,k}end if F(b)then return{'closed',a}end local u,e=aq()local aw=o[b]if e>0 then if not aw then if Y==''or Y~=an then return{'held',a,u-a,math.max(a-h,0),s,L}end if ARGV[7]=='0'then return{'owned',a,u-a}end if e==64 then return{'full',a,e}end end g=math.max(g,h)table.insert(bv,h)else g=math.max(g,h+1,a)end bA=math.max(bA,aw and e or e+1)if aw then aE=math.min(aE,aw)else table.insert(aO,bj[p]and#aO+1 or 1,function()if e==0 then if i>0 then local cE=(ARGV[8]*1000-L)/8 L=math.max(L+math.min(cE,3*s)-(a-i),0)end an,aK=Y,ARGV[6]G()end h,o[b],i=g,c,math.max(u,c)return z(redis.pcall),al end)end end for T,h in ipairs(bv)do if h~=g or#bv<#KEYS then return{'owned',a,0}end end local cs={}for T,z in ipairs(aO)do local W,al=z()if W and W.err then for T,cO in ipairs(cs)do redis.call('DEL',cO)end return W end table.insert(cs,al)end return{'granted',a,g,aE-a,bA}",
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["966b99927ec6bae79578db11a0d7652ace7d8c89", "8d6fdff4bea6f2d7d51cd7a37b4c0a1357e04b39"];
