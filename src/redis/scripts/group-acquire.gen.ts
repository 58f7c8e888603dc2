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
  lua: clock + fresh + read_names + "local q=tonumber(ARGV[4])local k,b,o='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local e,p,n,j,v,B,t=0,c,0,{},{}for i,L in ipairs(KEYS)do local A=I[i]\n" + record + lock + waited + "if z(k)then return{'kind',a,h}end if u(b)then return{'closed',a}end local m,d=M()local y=l[b]if d==0 then e=math.max(e,f+1,a)elseif y or o~=''and o==E then if not y then if ARGV[7]=='0'then return{'not_reentrant',a,m-a}end if d==64 then return{'too_many_holds',a}end B=true end e=math.max(e,f)table.insert(j,f)else t=t or{'held',a,m-a,math.max(a-f,0),w,C,1,Q,i}end n=math.max(n,y and d or d+1)if y then p=math.min(p,y)elseif not t then table.insert(v,I[i]and#v+1 or 1,function()if d==0 then G(ARGV[8]*1000)E,Q=o,ARGV[6]D()end f,l[b],g=e,c,math.max(m,c)return x(redis.pcall),L end)end end if t then return B and{'not_reentrant',a,0}or t end for E,f in ipairs(j)do if f~=e or#j<#KEYS then return{'not_reentrant',a,0}end end local d={}for E,x in ipairs(v)do local b,L=x()if b and b.err then for E,a in ipairs(d)do redis.call('DEL',a)end return b end table.insert(d,L)end return{'granted',a,e,p-a,n}",
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
export const sha: readonly [plain: string, flagged: string] = ["0b0c0b7aaaf3784baee9c3c644e036403f3833ab", "c3adbc9b73ecbe9ca5aa150c647202b413503cf9"];
