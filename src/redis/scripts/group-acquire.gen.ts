// Generated from lua/group-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, record, records, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const groupAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, label: string | number, reentrant: string | number, waited: string | number], GroupAcquireReply> = {
  lua: clock + fresh + records + "local b=tonumber(ARGV[4])local m,t,h='lock',ARGV[2],ARGV[5]local n=e+ARGV[3]*1000 local o,s,p,c,y,H,k=0,n,0,{},{}for i,P in ipairs(KEYS)do local J=B[i]\n" + record + lock + waited + "if j(m)then return{'kind',e,d}end if q(t)then return{'closed',e}end local u,a=K()local F=f[t]if a==0 then o=math.max(o,l+1,e)elseif F or h~=''and h==C then if not F then if ARGV[7]=='0'then return{'not_reentrant',e,u-e}end if a==64 then return{'too_many_holds',e}end H=true end o=math.max(o,l)table.insert(c,l)else k=k or{'held',e,u-e,math.max(e-l,0),w,D}end p=math.max(p,F and a or a+1)if F then s=math.min(s,F)elseif not k then table.insert(y,B[i]and#y+1 or 1,function()if a==0 then L(ARGV[8]*1000)C,Q=h,ARGV[6]A()end l,f[t],r=o,n,math.max(u,n)return g(redis.pcall),P end)end end if k then return H and{'not_reentrant',e,0}or k end for H,l in ipairs(c)do if l~=o or#c<#KEYS then return{'not_reentrant',e,0}end end local a={}for H,g in ipairs(y)do local t,P=g()if t and t.err then for H,e in ipairs(a)do redis.call('DEL',e)end return t end table.insert(a,P)end return{'granted',e,o,s-e,p}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|not_reentrant remaining#|too_many_holds|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["84123be51f6c132d1996ebb0d837fd9d28d4dfed", "fffa19bb5ce76d3ba916e0885bed88c9ab6e45d2"];
