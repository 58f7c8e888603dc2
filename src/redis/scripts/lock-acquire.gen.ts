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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal o,b,R='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local f,ar,bk,aA,aD=0,c,0,{},{}for p,aj in ipairs(KEYS)do local au=aU[p]\n" + record + "\n" + lock + "\nif F(o)then return{'kind',a,m}end if v(b)then return{'closed',a}end local I,e=ae()local al=n[b]if e>0 then if not al then if R==''or R~=Z then return{'held',a,I-a,math.max(a-g,0),t,C}end if ARGV[7]=='0'then return{'owned',a,I-a}end if e==64 then return{'full',a,e}end end f=math.max(f,g)table.insert(aA,g)else f=math.max(f,g+1,a)end bk=math.max(bk,al and e or e+1)if al then ar=math.min(ar,al)else table.insert(aD,aU[p]and#aD+1 or 1,function()if e==0 then if i>0 then local cg=(ARGV[8]*1000-C)/8 C=math.max(C+math.min(cg,3*t)-(a-i),0)end Z,aB=R,ARGV[6]y()end g,n[b],i=f,c,math.max(I,c)return w(ARGV[4],redis.pcall),aj end)end end for P,g in ipairs(aA)do if g~=f or#aA<#KEYS then return{'owned',a,0}end end local bV={}for P,w in ipairs(aD)do local W,aj=w()if W and W.err then for P,cm in ipairs(bV)do redis.call('DEL',cm)end return W end table.insert(bV,aj)end return{'granted',a,f,ar-a,bk}",
  sha: ["d430b869c17734afc77c4cc11cf1808cce257f53", "5df1c2fd52bfd3bf0d465596573165d5bf7bab48"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
