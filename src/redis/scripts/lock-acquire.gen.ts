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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal o,b,R='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local f,ar,bk,aA,aD=0,c,0,{},{}for p,aj in ipairs(KEYS)do local au=aT[p]\n" + record + "\n" + lock + "\nif N(o)then return{'kind',a,m}end if v(b)then return{'closed',a}end local G,e=ae()local ao=n[b]if e>0 then if not ao then if R==''or R~=Z then return{'held',a,G-a,math.max(a-g,0),t,C}end if ARGV[7]=='0'then return{'owned',a,G-a}end if e==64 then return{'full',a,e}end end f=math.max(f,g)table.insert(aA,g)else f=math.max(f,g+1,a)end bk=math.max(bk,ao and e or e+1)if ao then ar=math.min(ar,ao)else table.insert(aD,aT[p]and#aD+1 or 1,function()if e==0 then if i>0 then local cf=(ARGV[8]*1000-C)/8 C=math.max(C+math.min(cf,3*t)-(a-i),0)end Z,aB=R,ARGV[6]x()end g,n[b],i=f,c,math.max(G,c)return w(ARGV[4],redis.pcall),aj end)end end for P,g in ipairs(aA)do if g~=f or#aA<#KEYS then return{'owned',a,0}end end local bU={}for P,w in ipairs(aD)do local W,aj=w()if W and W.err then for P,cl in ipairs(bU)do redis.call('DEL',cl)end return W end table.insert(bU,aj)end return{'granted',a,f,ar-a,bk}",
  sha: ["d394cf0eb815687667fb5ff380d24e2c5d7f6cc8", "c46dac783eec6932c83580abc58283504db842b9"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
