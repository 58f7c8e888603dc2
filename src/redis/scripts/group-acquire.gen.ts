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
  lua: clock + fresh + read_names + "local t=tonumber(ARGV[4])local l,b,p='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local g,r,n,k,D,C,E,o,F=0,c,0,0,{},{}for i,J in ipairs(KEYS)do local q=y[i]\n" + record + ended + lock + waited + "if not F and A(l)then return{'kind',a,h}end if v(b)then F=M()end if not F then local j,d=N()local z=m[b]if d==0 then g=math.max(g,f+1,a)elseif z or p~=''and p==P then if not z then if ARGV[7]=='0'then return{'not_reentrant',a,j-a}end if d==64 then return{'too_many_holds',a}end E=true end g=math.max(g,f)table.insert(D,f)else o=o or{'held',a,j-a,math.max(a-f,0),B,u,1,S,i}end n=math.max(n,z and d or d+1)if z then k,r=k+1,math.min(r,z)elseif not o then table.insert(C,function()if d==0 then O(ARGV[8]*1000)P,S=p,ARGV[6]G()end f,m[b],e=g,c,math.max(j,c)return x(redis.pcall),J,y[i]end)end end end if F then return F end if k>0 and k<#KEYS then return{'closed',a}end if o then return E and{'not_reentrant',a,0}or o end for E,f in ipairs(D)do if f~=g or#D<#KEYS then return{'not_reentrant',a,0}end end local d={}for E,x in ipairs(C)do local a,J,b=x()if a and a.err then for a,q in pairs(d)do if q then redis.call('SET',a,q,'KEEPTTL')else redis.call('DEL',a)end end return a end d[J]=b end return{'granted',a,g,r-a,n}",
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
export const sha: readonly [plain: string, flagged: string] = ["8a994e53e48a6eb711cfa3f0c7e170ff5c22fe0b", "9090641582dd94ba08ec30784213454da94d4b76"];
