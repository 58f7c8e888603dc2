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
  lua: clock + fresh + read_names + "local t=tonumber(ARGV[4])local m,b,p='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local f,d,D,k,r,o,E,q,F=0,c,0,0,{},{}for i,K in ipairs(KEYS)do local u=N[i]\n" + record + ended + lock + waited + "if not F and B(m)then return{'kind',a,j}end if w(b)then F=G()end if not F then local n,e=P()local z=l[b]if e==0 then f=math.max(f,h+1,a)elseif z or p~=''and p==J then if not z then if ARGV[7]=='0'then return{'not_reentrant',a,n-a}end if e==64 then return{'too_many_holds',a}end E=true end f=math.max(f,h)table.insert(r,h)else q=q or{'held',a,n-a,math.max(a-h,0),A,H,1,S,i}end D=math.max(D,z and e or e+1)if z then k,d=k+1,math.min(d,z)elseif not q then table.insert(o,function()if e==0 then y(ARGV[8]*1000)J,S=p,ARGV[6]C()end h,l[b],g=f,c,math.max(n,c)return x(redis.pcall),K,N[i]end)end end end if F then return F end if k>0 and k<#KEYS then return{'closed',a}end if q then return E and{'not_reentrant',a,0}or q end for I,h in ipairs(r)do if h~=f or#r<#KEYS then return{'not_reentrant',a,0}end end local e={}for I,x in ipairs(o)do local a,K,z=x()if a and a.err then for a,u in pairs(e)do if u then redis.call('SET',a,u,'KEEPTTL')else redis.call('DEL',a)end end return a end e[K]=z end return{'granted',a,f,d-a,D}",
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
export const sha: readonly [plain: string, flagged: string] = ["124e13b39202cdbe2e0b522775436f513be3ed33", "d3d5fef381368a28a2027c6b2434674a5512dafe"];
