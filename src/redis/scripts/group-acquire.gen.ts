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
  lua: clock + fresh + read_names + "local r=tonumber(ARGV[4])local k,b,p='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local e,q,l,j,J,v,M,o=0,c,0,0,{},{}for i,K in ipairs(KEYS)do local B=C[i]\n" + record + lock + waited + "if z(k)then return{'kind',a,h}end if u(b)then return{'closed',a}end local n,d=L()local y=m[b]if d==0 then e=math.max(e,f+1,a)elseif y or p~=''and p==D then if not y then if ARGV[7]=='0'then return{'not_reentrant',a,n-a}end if d==64 then return{'too_many_holds',a}end M=true end e=math.max(e,f)table.insert(J,f)else o=o or{'held',a,n-a,math.max(a-f,0),w,A,1,H,i}end l=math.max(l,y and d or d+1)if y then j,q=j+1,math.min(q,y)elseif not o then table.insert(v,C[i]and#v+1 or 1,function()if d==0 then N(ARGV[8]*1000)D,H=p,ARGV[6]E()end f,m[b],g=e,c,math.max(n,c)return x(redis.pcall),K end)end end if j>0 and j<#KEYS then return{'closed',a}end if o then return M and{'not_reentrant',a,0}or o end for C,f in ipairs(J)do if f~=e or#J<#KEYS then return{'not_reentrant',a,0}end end local d={}for C,x in ipairs(v)do local f,K=x()if f and f.err then for C,a in ipairs(d)do redis.call('DEL',a)end return f end table.insert(d,K)end return{'granted',a,e,q-a,l}",
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
export const sha: readonly [plain: string, flagged: string] = ["3e9e8166ff9be8f2d347f11dcbbdb5ff4c5a5526", "8ca2156770873e1af16a4effb805da35e2b06657"];
