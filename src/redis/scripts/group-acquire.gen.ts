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
  lua: clock + fresh + records + "local b=tonumber(ARGV[4])local c,t,h='lock',ARGV[2],ARGV[5]local n=e+ARGV[3]*1000 local o,m,A,s,p,H,k=0,n,0,{},{}for i,P in ipairs(KEYS)do local J=x[i]\n" + record + lock + waited + "if j(c)then return{'kind',e,d}end if q(t)then return{'closed',e}end local u,a=K()local F=f[t]if a==0 then o=math.max(o,l+1,e)elseif F or h~=''and h==B then if not F then if ARGV[7]=='0'then return{'not_reentrant',e,u-e}end if a==64 then return{'too_many_holds',e}end H=true end o=math.max(o,l)table.insert(s,l)else k=k or{'held',e,u-e,math.max(e-l,0),g,D}end A=math.max(A,F and a or a+1)if F then m=math.min(m,F)elseif not k then table.insert(p,x[i]and#p+1 or 1,function()if a==0 then L(ARGV[8]*1000)B,Q=h,ARGV[6]z()end l,f[t],r=o,n,math.max(u,n)return y(redis.pcall),P end)end end if k then return H and{'not_reentrant',e,0}or k end for H,l in ipairs(s)do if l~=o or#s<#KEYS then return{'not_reentrant',e,0}end end local a={}for H,y in ipairs(p)do local t,P=y()if t and t.err then for H,e in ipairs(a)do redis.call('DEL',e)end return t end table.insert(a,P)end return{'granted',e,o,m-e,A}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|not_reentrant remaining#|too_many_holds|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["a9291f54fc4071ca6398a28d0fed3a145c2f6c11", "7348fbb440a41fe4ff9bf34ced55fd949e9962b8"];
