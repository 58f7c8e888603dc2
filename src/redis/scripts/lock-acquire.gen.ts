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
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal y=tonumber(ARGV[4])local n,b,X='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,aC,bA,bv,aN=0,c,0,{},{}for p,al in ipairs(KEYS)do local ap=bj[p]\n" + record + "\n" + lock + "\nif N(n)then return{'kind',a,l}end if J(b)then return{'closed',a}end local u,d=aq()local aw=o[b]if d>0 then if not aw then if X==''or X~=an then return{'held',a,u-a,math.max(a-h,0),s,K}end if ARGV[7]=='0'then return{'owned',a,u-a}end if d==64 then return{'full',a,d}end end g=math.max(g,h)table.insert(bv,h)else g=math.max(g,h+1,a)end bA=math.max(bA,aw and d or d+1)if aw then aC=math.min(aC,aw)else table.insert(aN,bj[p]and#aN+1 or 1,function()if d==0 then if j>0 then local cE=(ARGV[8]*1000-K)/8 K=math.max(K+math.min(cE,3*s)-(a-j),0)end an,aJ=X,ARGV[6]F()end h,o[b],j=g,c,math.max(u,c)return z(redis.pcall),al end)end end for T,h in ipairs(bv)do if h~=g or#bv<#KEYS then return{'owned',a,0}end end local cs={}for T,z in ipairs(aN)do local V,al=z()if V and V.err then for T,cO in ipairs(cs)do redis.call('DEL',cO)end return V end table.insert(cs,al)end return{'granted',a,g,aC-a,bA}",
  sha: ["aaaa4e75aa8b08f6acfab8dd9c9f7de7abf60d95", "63d84d70fb64c133a2836a02e731dcad2f454c97"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
