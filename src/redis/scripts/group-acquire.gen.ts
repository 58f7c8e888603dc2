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
  lua: clock + fresh + records + "local b=tonumber(ARGV[4])local m,t,h='lock',ARGV[2],ARGV[5]local n=e+ARGV[3]*1000 local o,c,p,s,w,J,g=0,n,0,{},{}for i,Q in ipairs(KEYS)do local I=A[i]\n" + record + lock + waited + "if q(m)then return{'kind',e,d}end if j(t)then return{'closed',e}end local u,a=K()local G=f[t]if a==0 then o=math.max(o,l+1,e)elseif G or h~=''and h==B then if not G then if ARGV[7]=='0'then return{'not_reentrant',e,u-e}end if a==64 then return{'too_many_holds',e}end J=true end o=math.max(o,l)table.insert(s,l)else g=g or{'held',e,u-e,math.max(e-l,0),x,E}end p=math.max(p,G and a or a+1)if G then c=math.min(c,G)elseif not g then table.insert(w,A[i]and#w+1 or 1,function()if a==0 then L(ARGV[8]*1000)B,O=h,ARGV[6]z()end l,f[t],r=o,n,math.max(u,n)return v(redis.pcall),Q end)end end if g then return J and{'not_reentrant',e,0}or g end for G,l in ipairs(s)do if l~=o or#s<#KEYS then return{'not_reentrant',e,0}end end local a={}for G,v in ipairs(w)do local l,Q=v()if l and l.err then for G,e in ipairs(a)do redis.call('DEL',e)end return l end table.insert(a,Q)end return{'granted',e,o,c-e,p}",
  replies: "granted token remaining holds|held remaining age tenure queue|not_reentrant remaining|too_many_holds|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["dfe062315cddcdbc08f55b7cc594d4746dfbc8e9", "6d12051976b76268a8ea1c666b16327e14052892"];
