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
  lua: clock + fresh + read_names + "local t=tonumber(ARGV[4])local m,b,p='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local h,r,D,l,d,C,E,o,F=0,c,0,0,{},{}for j,J in ipairs(KEYS)do local q=y[j]\n" + record + ended + lock + waited + "if not F and B(m)then return{'kind',a,i}end if v(b)then F=M()end if not F then local k,e=N()local A=n[b]if e==0 then h=math.max(h,g+1,a)elseif A or p~=''and p==P then if not A then if ARGV[7]=='0'then return{'not_reentrant',a,k-a}end if e==64 then return{'too_many_holds',a}end E=true end h=math.max(h,g)table.insert(d,g)else o=o or{'held',a,k-a,math.max(a-g,0),z,u,1,S,j}end D=math.max(D,A and e or e+1)if A then l,r=l+1,math.min(r,A)elseif not o then table.insert(C,function()if e==0 then O(ARGV[8]*1000)P,S=p,ARGV[6]G()end g,n[b],f=h,c,math.max(k,c)return x(redis.pcall),J,y[j]end)end end end if F then return F end if l>0 and l<#KEYS then return{'closed',a}end if o then return E and{'not_reentrant',a,0}or o end for E,g in ipairs(d)do if g~=h or#d<#KEYS then return{'not_reentrant',a,0}end end local e={}for E,x in ipairs(C)do local a,J,b=x()if a and a.err then for a,q in pairs(e)do if q then redis.call('SET',a,q,'KEEPTTL')else redis.call('DEL',a)end end return a end e[J]=b end return{'granted',a,h,r-a,D}",
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
export const sha: readonly [plain: string, flagged: string] = ["579a4f6a27337b7c2d74dd8344a4d4e6b8eac175", "91bb40fb73256b78d38cb29ede7ce79bc37ef01a"];
