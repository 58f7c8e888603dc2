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
  lua: clock + fresh + read_names + "local t=tonumber(ARGV[4])local l,b,o='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local e,p,n,j,u,z,k=0,c,0,{},{}for i,O in ipairs(KEYS)do local H=w[i]\n" + record + lock + waited + "if A(l)then return{'kind',a,h}end if v(b)then return{'closed',a}end local r,d=L()local M=m[b]if d==0 then e=math.max(e,f+1,a)elseif M or o~=''and o==E then if not M then if ARGV[7]=='0'then return{'not_reentrant',a,r-a}end if d==64 then return{'too_many_holds',a}end z=true end e=math.max(e,f)table.insert(j,f)else k=k or{'held',a,r-a,math.max(a-f,0),x,C,1}end n=math.max(n,M and d or d+1)if M then p=math.min(p,M)elseif not k then table.insert(u,w[i]and#u+1 or 1,function()if d==0 then B(ARGV[8]*1000)E,Q=o,ARGV[6]D()end f,m[b],g=e,c,math.max(r,c)return y(redis.pcall),O end)end end if k then return z and{'not_reentrant',a,0}or k end for E,f in ipairs(j)do if f~=e or#j<#KEYS then return{'not_reentrant',a,0}end end local d={}for E,y in ipairs(u)do local b,O=y()if b and b.err then for E,a in ipairs(d)do redis.call('DEL',a)end return b end table.insert(d,O)end return{'granted',a,e,p-a,n}",
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
export const sha: readonly [plain: string, flagged: string] = ["7215f6d1da901c0f6f2157fc3170ac9ce02b6458", "163cc89779ca32356ef65311d756befc3e8bf771"];
