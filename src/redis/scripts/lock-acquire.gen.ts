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
  lua: clock + fresh + records + "local v=tonumber(ARGV[4])local n,b,O='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,aF,bH,bA,aQ,cn,ak=0,c,0,{},{}for q,an in ipairs(KEYS)do local as=bm[q]\n" + record + lock + "if L(n)then return{'kind',a,k}end if G(b)then return{'closed',a}end local y,d=au()local ap=o[b]if d==0 then g=math.max(g,h+1,a)elseif ap or O~=''and O==aq then if not ap then if ARGV[7]=='0'then return{'owned',a,y-a}end if d==64 then return{'full',a,d}end cn=true end g=math.max(g,h)table.insert(bA,h)else ak=ak or{'held',a,y-a,math.max(a-h,0),x,M}end bH=math.max(bH,ap and d or d+1)if ap then aF=math.min(aF,ap)elseif not ak then table.insert(aQ,bm[q]and#aQ+1 or 1,function()if d==0 then if i>0 then local cO=(ARGV[8]*1000-M)/8 M=math.max(M+math.min(cO,3*x)-(a-i),0)end aq,aM=O,ARGV[6]H()end h,o[b],i=g,c,math.max(y,c)return C(redis.pcall),an end)end end if ak then return cn and{'owned',a,0}or ak end for X,h in ipairs(bA)do if h~=g or#bA<#KEYS then return{'owned',a,0}end end local cC={}for X,C in ipairs(aQ)do local W,an=C()if W and W.err then for X,cW in ipairs(cC)do redis.call('DEL',cW)end return W end table.insert(cC,an)end return{'granted',a,g,aF-a,bH}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# queue#|owned remaining#|full holds#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["851300f4589f9443e5641838006a763db3bfb6b9", "99dcfc6504f4dead611b49029f39bb78974d1686"];
