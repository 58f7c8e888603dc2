// Generated from lua/group-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, ended, fresh, lock, read_names, record, waited } from "../parts.gen.ts";
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
  lua: clock + fresh + read_names + "local s=tonumber(ARGV[4])local k,b,p='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,q,m,j,J,w,N,o,E=0,c,0,0,{},{}for i,K in ipairs(KEYS)do local B=C[i]\n" + record + ended + lock + waited + "if not E and y(k)then return{'kind',a,h}end if u(b)then E=M()end if not E then local n,d=L()local z=l[b]if d==0 then g=math.max(g,f+1,a)elseif z or p~=''and p==D then if not z then if ARGV[7]=='0'then return{'not_reentrant',a,n-a}end if d==64 then return{'too_many_holds',a}end N=true end g=math.max(g,f)table.insert(J,f)else o=o or{'held',a,n-a,math.max(a-f,0),x,A,1,Q,i}end m=math.max(m,z and d or d+1)if z then j,q=j+1,math.min(q,z)elseif not o then table.insert(w,C[i]and#w+1 or 1,function()if d==0 then P(ARGV[8]*1000)D,Q=p,ARGV[6]F()end f,l[b],e=g,c,math.max(n,c)return v(redis.pcall),K end)end end end if E then return E end if j>0 and j<#KEYS then return{'closed',a}end if o then return N and{'not_reentrant',a,0}or o end for C,f in ipairs(J)do if f~=g or#J<#KEYS then return{'not_reentrant',a,0}end end local d={}for C,v in ipairs(w)do local f,K=v()if f and f.err then for C,a in ipairs(d)do redis.call('DEL',a)end return f end table.insert(d,K)end return{'granted',a,g,q-a,m}",
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
export const sha: readonly [plain: string, flagged: string] = ["121d5de555266b312bd29c078733adb1fd5299e3", "eb2fac65ace87ab35e47efe017caf68263245ac4"];
