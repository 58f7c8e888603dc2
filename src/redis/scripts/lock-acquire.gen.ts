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
  lua: clock + fresh + records + "local w=tonumber(ARGV[4])local n,b,R='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,aE,bJ,bC,aP,cp,al=0,c,0,{},{}for q,ao in ipairs(KEYS)do local ab=bn[q]\n" + record + lock + "if N(n)then return{'kind',a,k}end if I(b)then return{'closed',a}end local z,d=au()local aq=o[b]if d==0 then g=math.max(g,h+1,a)elseif aq or R~=''and R==ar then if not aq then if ARGV[7]=='0'then return{'owned',a,z-a}end if d==64 then return{'full',a,d}end cp=true end g=math.max(g,h)table.insert(bC,h)else al=al or{'held',a,z-a,math.max(a-h,0),y,P}end bJ=math.max(bJ,aq and d or d+1)if aq then aE=math.min(aE,aq)elseif not al then table.insert(aP,bn[q]and#aP+1 or 1,function()if d==0 then if i>0 then local cQ=(ARGV[8]*1000-P)/8 P=math.max(P+math.min(cQ,3*y)-(a-i),0)end ar,aM=R,ARGV[6]K()end h,o[b],i=g,c,math.max(z,c)return D(redis.pcall),ao end)end end if al then return cp and{'owned',a,0}or al end for Y,h in ipairs(bC)do if h~=g or#bC<#KEYS then return{'owned',a,0}end end local cE={}for Y,D in ipairs(aP)do local X,ao=D()if X and X.err then for Y,cY in ipairs(cE)do redis.call('DEL',cY)end return X end table.insert(cE,ao)end return{'granted',a,g,aE-a,bJ}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|owned remaining#|full holds#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["5ee61578b960a5eac104b2316044fdbb469afa9d", "6611dab9b6cfeb4e3012b8b334da0ec83dc53627"];
