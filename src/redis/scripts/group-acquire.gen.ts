// Generated from lua/group-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, ended, failed, fresh, listen, lock, read_names, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly clockRead: number; readonly note: string; readonly blocked: number; readonly listed: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const groupAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, waited: string | number, listens: string | number], GroupAcquireReply> = {
  lua: clock + fresh + read_names + "local w=tonumber(ARGV[4])local m,b,t='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local f,u,z,k,p,d,C,r,q=0,c,0,0,{},{}for i,M in ipairs(KEYS)do local y=Q[i]\n" + record + ended + lock + waited + listen + failed + "if not q and E(m)then return{'kind',a,j}end if x(b)then q=G()end if not q then local n,e=R()local A=l[b]if e==0 then f=math.max(f,g+1,a)elseif A or t~=''and t==J then if not A then if ARGV[7]=='0'then return{'not_reentrant',a,n-a}end if e==64 then return{'too_many_holds',a}end C=true end f=math.max(f,g)table.insert(p,g)elseif not r then local v,q=ae(b,ARGV[9],'w')if q and B(s(redis.pcall))then v=0 end r={'held',a,n-a,math.max(a-g,0),F,K,1,W,i,v}end z=math.max(z,A and e or e+1)if A then k,u=k+1,math.min(u,A)elseif not r then table.insert(d,function()if e==0 then P(ARGV[8]*1000)J,W=t,ARGV[6]H()end X(b)g,l[b],h=f,c,math.max(n,c)return s(redis.pcall),M,Q[i]end)end end end if q then return q end if k>0 and k<#KEYS then return{'closed',a}end if r then return C and{'not_reentrant',a,0}or r end for C,g in ipairs(p)do if g~=f or#p<#KEYS then return{'not_reentrant',a,0}end end local e={}for C,s in ipairs(d)do local a,M,A=s()if a and a.err then for a,y in pairs(e)do if y then redis.call('SET',a,y,'KEEPTTL')else redis.call('DEL',a)end end return a end e[M]=A end return{'granted',a,f,u-a,z}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", clockRead: "integer", note: "text", blocked: "integer", listed: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ab492408663af88fe698fcb66b8d29afe5d80eeb", "442fd4dbe0b31a472657c00ee0a49a5e434eb863"];
