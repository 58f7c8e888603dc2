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
  lua: clock + fresh + records + "local b=tonumber(ARGV[4])local c,t,h='lock',ARGV[2],ARGV[5]local n=e+ARGV[3]*1000 local o,m,A,s,p,E,k=0,n,0,{},{}for i,Q in ipairs(KEYS)do local J=v[i]\n" + record + lock + waited + "if x(c)then return{'kind',e,d}end if j(t)then return{'closed',e}end local u,a=L()local F=f[t]if a==0 then o=math.max(o,l+1,e)elseif F or h~=''and h==M then if not F then if ARGV[7]=='0'then return{'not_reentrant',e,u-e}end if a==64 then return{'too_many_holds',e}end E=true end o=math.max(o,l)table.insert(s,l)else k=k or{'held',e,u-e,math.max(e-l,0),g,D}end A=math.max(A,F and a or a+1)if F then m=math.min(m,F)elseif not k then table.insert(p,v[i]and#p+1 or 1,function()if a==0 then H(ARGV[8]*1000)M,P=h,ARGV[6]q()end l,f[t],r=o,n,math.max(u,n)return y(redis.pcall),Q end)end end if k then return E and{'not_reentrant',e,0}or k end for H,l in ipairs(s)do if l~=o or#s<#KEYS then return{'not_reentrant',e,0}end end local a={}for H,y in ipairs(p)do local t,Q=y()if t and t.err then for H,e in ipairs(a)do redis.call('DEL',e)end return t end table.insert(a,Q)end return{'granted',e,o,m-e,A}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|not_reentrant remaining#|too_many_holds|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["a65f764bd58769f5cef1b18888f89ad357fcd720", "b099ff717bfd7cfce1e1a20657fccf6fc9d361bd"];
