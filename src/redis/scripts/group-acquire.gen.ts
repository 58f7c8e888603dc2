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

export const groupAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, note: string | number, reentrant: string | number, waited: string | number], GroupAcquireReply> = {
  lua: clock + fresh + records + "local b=tonumber(ARGV[4])local m,t,h='lock',ARGV[2],ARGV[5]local n=e+ARGV[3]*1000 local o,p,u,s,w,v,c=0,n,0,{},{}for i,O in ipairs(KEYS)do local G=B[i]\n" + record + lock + waited + "if z(m)then return{'kind',e,d}end if q(t)then return{'closed',e}end local y,a=J()local H=f[t]if a==0 then o=math.max(o,l+1,e)elseif H or h~=''and h==A then if not H then if ARGV[7]=='0'then return{'not_reentrant',e,y-e}end if a==64 then return{'too_many_holds',e}end v=true end o=math.max(o,l)table.insert(s,l)else c=c or{'held',e,y-e,math.max(e-l,0),x,D}end u=math.max(u,H and a or a+1)if H then p=math.min(p,H)elseif not c then table.insert(w,B[i]and#w+1 or 1,function()if a==0 then M(ARGV[8]*1000)A,R=h,ARGV[6]C()end l,f[t],r=o,n,math.max(y,n)return j(redis.pcall),O end)end end if c then return v and{'not_reentrant',e,0}or c end for H,l in ipairs(s)do if l~=o or#s<#KEYS then return{'not_reentrant',e,0}end end local a={}for H,j in ipairs(w)do local l,O=j()if l and l.err then for H,e in ipairs(a)do redis.call('DEL',e)end return l end table.insert(a,O)end return{'granted',e,o,p-e,u}",
  replies: "granted token remaining holds|held remaining age tenure queue|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["bfcd331aa5662c71eeb6e9c1f5e351e60970095a", "d555c329938e4e97ac8339684aaff68f10fa3c52"];
