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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal n,b,R='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local f,au,bm,aD,aG=0,c,0,{},{}for p,al in ipairs(KEYS)do local aw=aV[p]\n" + record + "\n" + lock + "\nif F(n)then return{'kind',a,m}end if v(b)then return{'closed',a}end local I,e=ag()local an=o[b]if e>0 then if not an then if R==''or R~=ab then return{'held',a,I-a,math.max(a-g,0),u,C}end if ARGV[7]=='0'then return{'owned',a,I-a}end if e==64 then return{'full',a,e}end end f=math.max(f,g)table.insert(aD,g)else f=math.max(f,g+1,a)end bm=math.max(bm,an and e or e+1)if an then au=math.min(au,an)else table.insert(aG,aV[p]and#aG+1 or 1,function()if e==0 then if i>0 then local cg=(ARGV[8]*1000-C)/8 C=math.max(C+math.min(cg,3*u)-(a-i),0)end ab,aE=R,ARGV[6]z()end g,o[b],i=f,c,math.max(I,c)return x(ARGV[4],redis.pcall),al end)end end for P,g in ipairs(aD)do if g~=f or#aD<#KEYS then return{'owned',a,0}end end local bV={}for P,x in ipairs(aG)do local Y,al=x()if Y and Y.err then for P,cm in ipairs(bV)do redis.call('DEL',cm)end return Y end table.insert(bV,al)end return{'granted',a,f,au-a,bm}",
  sha: ["db8ca45e822da4b0412cf3f30176d922900a85bc", "f26f05c0758f11f9908b5c07b9fba3b97916a8e0"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
