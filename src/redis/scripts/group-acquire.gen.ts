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
  lua: clock + fresh + read_names + "local s=tonumber(ARGV[4])local m,b,r='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,d,w,k,o,t,C,p,D=0,c,0,0,{},{}for j,M in ipairs(KEYS)do local u=W[j]\n" + record + ended + lock + waited + "if not D and B(m)then return{'kind',a,i}end if x(b)then D=F()end if not D then local l,e=Q()local A=n[b]if e==0 then g=math.max(g,h+1,a)elseif A or r~=''and r==R then if not A then if ARGV[7]=='0'then return{'not_reentrant',a,l-a}end if e==64 then return{'too_many_holds',a}end C=true end g=math.max(g,h)table.insert(o,h)else p=p or{'held',a,l-a,math.max(a-h,0),z,G,1,U,j}end w=math.max(w,A and e or e+1)if A then k,d=k+1,math.min(d,A)elseif not p then table.insert(t,function()if e==0 then E(ARGV[8]*1000)R,U=r,ARGV[6]I()end h,n[b],f=g,c,math.max(l,c)return y(redis.pcall),M,W[j]end)end end end if D then return D end if k>0 and k<#KEYS then return{'closed',a}end if p then return C and{'not_reentrant',a,0}or p end for H,h in ipairs(o)do if h~=g or#o<#KEYS then return{'not_reentrant',a,0}end end local e={}for H,y in ipairs(t)do local a,M,A=y()if a and a.err then for a,u in pairs(e)do if u then redis.call('SET',a,u,'KEEPTTL')else redis.call('DEL',a)end end return a end e[M]=A end return{'granted',a,g,d-a,w}",
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
export const sha: readonly [plain: string, flagged: string] = ["12f612464a34fe4c6cef32eba389f0f2cb97ca30", "32d75b05253d54c8624933083e867be3273f9d30"];
