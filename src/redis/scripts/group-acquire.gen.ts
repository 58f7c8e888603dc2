// Generated from lua/group-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, lock, read_names, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly clockRead: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const groupAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, waited: string | number], GroupAcquireReply> = {
  lua: clock + fresh + read_names + "local r=tonumber(ARGV[4])local l,b,o='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local e,k,n,j,p,z,u=0,c,0,{},{}for i,L in ipairs(KEYS)do local A=w[i]\n" + record + lock + waited + "if B(l)then return{'kind',a,h}end if v(b)then return{'closed',a}end local q,d=M()local N=m[b]if d==0 then e=math.max(e,f+1,a)elseif N or o~=''and o==F then if not N then if ARGV[7]=='0'then return{'not_reentrant',a,q-a}end if d==64 then return{'too_many_holds',a}end z=true end e=math.max(e,f)table.insert(j,f)else u=u or{'held',a,q-a,math.max(a-f,0),x,D,1}end n=math.max(n,N and d or d+1)if N then k=math.min(k,N)elseif not u then table.insert(p,w[i]and#p+1 or 1,function()if d==0 then C(ARGV[8]*1000)F,Q=o,ARGV[6]E()end f,m[b],g=e,c,math.max(q,c)return y(redis.pcall),L end)end end if u then return z and{'not_reentrant',a,0}or u end for F,f in ipairs(j)do if f~=e or#j<#KEYS then return{'not_reentrant',a,0}end end local d={}for F,y in ipairs(p)do local b,L=y()if b and b.err then for F,a in ipairs(d)do redis.call('DEL',a)end return b end table.insert(d,L)end return{'granted',a,e,k-a,n}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", clockRead: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f4e381451a3ab35925bc216c390c4e30bb1dfdba", "a42dce09d35e088e1ce27676a4c0ab1471f38752"];
