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
  lua: clock + fresh + records + "local k=tonumber(ARGV[4])local c,t,h='lock',ARGV[2],ARGV[5]local n=e+ARGV[3]*1000 local l,m,q,s,p,C,b=0,n,0,{},{}for i,P in ipairs(KEYS)do local J=w[i]\n" + record + lock + waited + "if B(c)then return{'kind',e,d}end if j(t)then return{'closed',e}end local u,a=M()local G=f[t]if a==0 then l=math.max(l,o+1,e)elseif G or h~=''and h==L then if not G then if ARGV[7]=='0'then return{'not_reentrant',e,u-e}end if a==64 then return{'too_many_holds',e}end C=true end l=math.max(l,o)table.insert(s,o)else b=b or{'held',e,u-e,math.max(e-o,0),y,D}end q=math.max(q,G and a or a+1)if G then m=math.min(m,G)elseif not b then table.insert(p,w[i]and#p+1 or 1,function()if a==0 then H(ARGV[8]*1000)L,Q=h,ARGV[6]z()end o,f[t],r=l,n,math.max(u,n)return v(redis.pcall),P end)end end if b then return C and{'not_reentrant',e,0}or b end for G,o in ipairs(s)do if o~=l or#s<#KEYS then return{'not_reentrant',e,0}end end local a={}for G,v in ipairs(p)do local t,P=v()if t and t.err then for G,e in ipairs(a)do redis.call('DEL',e)end return t end table.insert(a,P)end return{'granted',e,l,m-e,q}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|not_reentrant remaining#|too_many_holds|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["9155024abc66c7e02b113d48e3be36e4817eb7b0", "792d0d3038541c12cfd853149c9e1c25132f4148"];
