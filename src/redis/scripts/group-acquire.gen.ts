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
  lua: clock + fresh + read_names + "local v=tonumber(ARGV[4])local m,b,q='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local f,t,E,k,e,o,K,r,I=0,c,0,0,{},{}for j,L in ipairs(KEYS)do local w=P[j]\n" + record + ended + lock + waited + listen + failed + "if not I and D(m)then return{'kind',a,i}end if y(b)then I=H()end if not I then local n,d=R()local x=l[b]if d==0 then f=math.max(f,h+1,a)elseif x or q~=''and q==M then if not x then if ARGV[7]=='0'then return{'not_reentrant',a,n-a}end if d==64 then return{'too_many_holds',a}end K=true end f=math.max(f,h)table.insert(e,h)elseif not r then local u,H=ae(b,ARGV[9],'w')if H and A(s(redis.pcall))then u=0 end r={'held',a,n-a,math.max(a-h,0),C,J,1,U,j,u}end E=math.max(E,x and d or d+1)if x then k,t=k+1,math.min(t,x)elseif not r then table.insert(o,function()if d==0 then z(ARGV[8]*1000)M,U=q,ARGV[6]F()end W(b)h,l[b],g=f,c,math.max(n,c)return s(redis.pcall),L,P[j]end)end end end if I then return I end if k>0 and k<#KEYS then return{'closed',a}end if r then return K and{'not_reentrant',a,0}or r end for K,h in ipairs(e)do if h~=f or#e<#KEYS then return{'not_reentrant',a,0}end end local d={}for K,s in ipairs(o)do local a,L,x=s()if a and a.err then for a,w in pairs(d)do if w then redis.call('SET',a,w,'KEEPTTL')else redis.call('DEL',a)end end return a end d[L]=x end return{'granted',a,f,t-a,E}",
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
export const sha: readonly [plain: string, flagged: string] = ["3355c69347c49730f75bd5edbc628586d2057182", "28008838da97d19b63799f8f2f3f3738e580c8f9"];
