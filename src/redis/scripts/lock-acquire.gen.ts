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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal n,b,S='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local d,aA,br,aH,aL=0,c,0,{},{}for p,aq in ipairs(KEYS)do local ak=bb[p]\n" + record + "\n" + lock + "\nif G(n)then return{'kind',a,m}end if w(b)then return{'closed',a}end local J,g=al()local as=o[b]if g>0 then if not as then if S==''or S~=af then return{'held',a,J-a,math.max(a-h,0),u,D}end if ARGV[7]=='0'then return{'owned',a,J-a}end if g==64 then return{'full',a,g}end end d=math.max(d,h)table.insert(aH,h)else d=math.max(d,h+1,a)end br=math.max(br,as and g or g+1)if as then aA=math.min(aA,as)else table.insert(aL,bb[p]and#aL+1 or 1,function()if g==0 then if i>0 then local cs=(ARGV[8]*1000-D)/8 D=math.max(D+math.min(cs,3*u)-(a-i),0)end af,aI=S,ARGV[6]A()end h,o[b],i=d,c,math.max(J,c)return y(ARGV[4],redis.pcall),aq end)end end for N,h in ipairs(aH)do if h~=d or#aH<#KEYS then return{'owned',a,0}end end local cf={}for N,y in ipairs(aL)do local ac,aq=y()if ac and ac.err then for N,cz in ipairs(cf)do redis.call('DEL',cz)end return ac end table.insert(cf,aq)end return{'granted',a,d,aA-a,br}",
  sha: ["48dc42ba9b3c9c039b897dbbcebdf25805a68cbb", "f879f8759ff54ae4ee5372ade83a42f96abd7011"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
