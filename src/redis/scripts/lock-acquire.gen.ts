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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,ab=ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local e,F,ah,ag,M=0,c,0,{},{}for o,u in ipairs(KEYS)do local C=al[o]\n" + record + "\n" + lock + "\nif J('lock')then return{'kind',a,k}end if m(b)then return{'closed',a}end local E,g=S()local V=h[b]if g>0 then if not V then if ab==''or ab~=aj then return{'held',a,E-a,math.max(a-d,0),y,H}end if ARGV[7]=='0'then return{'owned',a,E-a}end if g==64 then return{'full',a,g}end end e=math.max(e,d)table.insert(ag,d)else e=math.max(e,d+1,a)end ah=math.max(ah,V and g or g+1)if V then F=math.min(F,V)else table.insert(M,C and#M+1 or 1,function()if g==0 then if f>0 then local ay=(ARGV[8]*1000-H)/8 H=math.max(H+math.min(ay,3*y)-(a-f),0)end aj,an=ab,ARGV[6]N()end d,h[b],f=e,c,math.max(E,c)return p(ARGV[4],redis.pcall),u end)end end for D,d in ipairs(ag)do if d~=e or#ag<#KEYS then return{'owned',a,0}end end local au={}for D,p in ipairs(M)do local I,u=p()if I and I.err then for D,aD in ipairs(au)do redis.call('DEL',aD)end return I end table.insert(au,u)end return{'granted',a,e,F-a,ah}",
  sha: ["df973d0920635f23404af5cd5b6953d61f27bb3b", "333b1d591ef9926162cd07aed162fbcfa4bb2ade"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
