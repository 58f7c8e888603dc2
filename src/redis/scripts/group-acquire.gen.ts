// Generated from lua/group-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, read_names, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly clockRead: number; readonly note: string; readonly blocked: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const groupAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, waited: string | number], GroupAcquireReply> = {
  lua: clock + fresh + read_names + "local q=tonumber(ARGV[4])local k,b,o='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local d,p,n,j,u,H,x=0,c,0,{},{}for i,K in ipairs(KEYS)do local A=J[i]\n" + record + lock + waited + "if z(k)then return{'kind',a,h}end if t(b)then return{'closed',a}end local m,f=L()local y=l[b]if f==0 then d=math.max(d,e+1,a)elseif y or o~=''and o==B then if not y then if ARGV[7]=='0'then return{'not_reentrant',a,m-a}end if f==64 then return{'too_many_holds',a}end H=true end d=math.max(d,e)table.insert(j,e)else x=x or{'held',a,m-a,math.max(a-e,0),v,C,1,E,i}end n=math.max(n,y and f or f+1)if y then p=math.min(p,y)elseif not x then table.insert(u,J[i]and#u+1 or 1,function()if f==0 then M(ARGV[8]*1000)B,E=o,ARGV[6]D()end e,l[b],g=d,c,math.max(m,c)return w(redis.pcall),K end)end end if x then return H and{'not_reentrant',a,0}or x end for E,e in ipairs(j)do if e~=d or#j<#KEYS then return{'not_reentrant',a,0}end end local e={}for E,w in ipairs(u)do local b,K=w()if b and b.err then for E,a in ipairs(e)do redis.call('DEL',a)end return b end table.insert(e,K)end return{'granted',a,d,p-a,n}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", clockRead: "integer", note: "text", blocked: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f23f0dc046051a7a5ea2782711b7e9f205994e21", "2f9a6e25a16b323affb1608de4205a9564d4d86a"];
