// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, label: string | number, reentrant: string | number, waited: string | number], LockAcquireReply> = {
  lua: clock + fresh + records + "local b=tonumber(ARGV[4])local f,t,h='lock',ARGV[2],ARGV[5]local n=e+ARGV[3]*1000 local o,c,j,s,p,B,u=0,n,0,{},{}for i,N in ipairs(KEYS)do local J=g[i]\n" + record + lock + "if C(f)then return{'kind',e,d}end if q(t)then return{'closed',e}end local y,a=P()local G=m[t]if a==0 then o=math.max(o,l+1,e)elseif G or h~=''and h==O then if not G then if ARGV[7]=='0'then return{'not_reentrant',e,y-e}end if a==64 then return{'too_many_holds',e}end B=true end o=math.max(o,l)table.insert(s,l)else u=u or{'held',e,y-e,math.max(e-l,0),w,D}end j=math.max(j,G and a or a+1)if G then c=math.min(c,G)elseif not u then table.insert(p,g[i]and#p+1 or 1,function()if a==0 then if r>0 then local t=(ARGV[8]*1000-D)/8 D=math.max(D+math.min(t,3*w)-(e-r),0)end O,L=h,ARGV[6]A()end l,m[t],r=o,n,math.max(y,n)return v(redis.pcall),N end)end end if u then return B and{'not_reentrant',e,0}or u end for G,l in ipairs(s)do if l~=o or#s<#KEYS then return{'not_reentrant',e,0}end end local a={}for G,v in ipairs(p)do local t,N=v()if t and t.err then for G,e in ipairs(a)do redis.call('DEL',e)end return t end table.insert(a,N)end return{'granted',e,o,c-e,j}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|not_reentrant remaining#|too_many_holds|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["4f7e0b4c9fc032c04836d09f9829890c594d9104", "ec0de5fdfd9bfe234d05f940096282704aa78474"];
