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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal n,b,U='lock',ARGV[2],ARGV[5]local d=a+ARGV[3]*1000 local e,aB,bt,aI,aM=0,d,0,{},{}for p,aq in ipairs(KEYS)do local ak=bc[p]\n" + record + "\n" + lock + "\nif G(n)then return{'kind',a,m}end if w(b)then return{'closed',a}end local J,c=al()local as=o[b]if c>0 then if not as then if U==''or U~=af then return{'held',a,J-a,math.max(a-h,0),u,D}end if ARGV[7]=='0'then return{'owned',a,J-a}end if c==64 then return{'full',a,c}end end e=math.max(e,h)table.insert(aI,h)else e=math.max(e,h+1,a)end bt=math.max(bt,as and c or c+1)if as then aB=math.min(aB,as)else table.insert(aM,bc[p]and#aM+1 or 1,function()if c==0 then if i>0 then local ct=(ARGV[8]*1000-D)/8 D=math.max(D+math.min(ct,3*u)-(a-i),0)end af,aJ=U,ARGV[6]A()end h,o[b],i=e,d,math.max(J,d)return y(ARGV[4],redis.pcall),aq end)end end for R,h in ipairs(aI)do if h~=e or#aI<#KEYS then return{'owned',a,0}end end local ci={}for R,y in ipairs(aM)do local ac,aq=y()if ac and ac.err then for R,cB in ipairs(ci)do redis.call('DEL',cB)end return ac end table.insert(ci,aq)end return{'granted',a,e,aB-a,bt}",
  sha: ["b01589a6ff6ae9a0a69877b578a7863426e307e1", "d2e286a488a88d46745b8c7212700782bb4176ac"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
