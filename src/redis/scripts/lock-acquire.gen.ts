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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal n,b,T='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local d,aB,bs,aI,aM=0,c,0,{},{}for p,aq in ipairs(KEYS)do local ak=bc[p]\n" + record + "\n" + lock + "\nif G(n)then return{'kind',a,m}end if w(b)then return{'closed',a}end local J,g=al()local as=o[b]if g>0 then if not as then if T==''or T~=af then return{'held',a,J-a,math.max(a-h,0),u,D}end if ARGV[7]=='0'then return{'owned',a,J-a}end if g==64 then return{'full',a,g}end end d=math.max(d,h)table.insert(aI,h)else d=math.max(d,h+1,a)end bs=math.max(bs,as and g or g+1)if as then aB=math.min(aB,as)else table.insert(aM,bc[p]and#aM+1 or 1,function()if g==0 then if i>0 then local cs=(ARGV[8]*1000-D)/8 D=math.max(D+math.min(cs,3*u)-(a-i),0)end af,aJ=T,ARGV[6]A()end h,o[b],i=d,c,math.max(J,c)return y(ARGV[4],redis.pcall),aq end)end end for N,h in ipairs(aI)do if h~=d or#aI<#KEYS then return{'owned',a,0}end end local cg={}for N,y in ipairs(aM)do local ac,aq=y()if ac and ac.err then for N,cA in ipairs(cg)do redis.call('DEL',cA)end return ac end table.insert(cg,aq)end return{'granted',a,d,aB-a,bs}",
  sha: ["c173d1646560f2c029d6c47ba8a1f05fa799ba95", "40bada4f906e8e3c75e28dbfdd85856e93cee6bf"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
