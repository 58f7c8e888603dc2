// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, fresh, oust, read_name, record, requests, rw, rw_expired } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly back: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "upgrade_refused"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, mode: string | number, reentrant: string | number, back: string | number], RwAcquireReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + oust + accounts + rw + requests + "local b,l=ARGV[2],ARGV[5]local j,o,C=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local c,G=a+ARGV[3]*1000,ARGV[7]*1000 if A('rw')then return{'kind',a,h}end if v(j)then return{'closed',a}end local r,d=L()if m[j]then return{'granted',a,x,m[j]-a,d}end local M,z=o~=''and o==E,g>a or h=='none'local P=d>0 and M local e=h~='rw'and h~='none'\n" + rw_expired + "local function R(z,c)if G>0 and c then local k=a+G+1000000 g=math.max(g,k)if c=='w'then n=math.max(n,k)end if p[o]>0 then aa(o,w[3])end local d=tonumber(w[c=='r'and 2 or 4]or 0)local b=c=='r'and ad(k)or-k ai(#u==0 and'LT'or nil,{string.format('%.0f',math.min(b,d)),c..j})end return{'held',a,z-a,math.max(a-f,0),G}end if l=='read'then Z()local u,l=tonumber(w[1]or 0),tonumber(w[2]or 0)local h,q=S(w[3])h=math.max(h-p[o],0)local s=(d==0 or P)and ae()>0 local z=s and q>a and h or 0 local Q=u>0 or P or z>0 local e=Q and M and x>0 and x or B if u>0 then if u<=a or u>4e15 or e==0 then return{'closed',a}end return{'granted',a,e,u-a,math.max(z,1)}end if Q and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if z>=64 then return{'too_many_holds',a}end if d>0 and not P then for E,d in ipairs(redis.call('ZRANGEBYSCORE',i,ad(a),-4.5e15,'LIMIT',0,math.max(50-#k,0)))do if d~='r'..j then table.insert(k,d)end end return R(r,'r')end if not Q then if n>a and l>=ad(a)then return R(g)end if not s then B=0 end if M or not s then x=0 end e=B end if e==0 then f=math.max(f+1,a)e,B=f,f end if l<0 then table.insert(k,'r'..j)end g=math.max(g,c)local m={string.format('%.0f',c),b}if o~=''then m[3],m[4]=ac(h+1,math.max(q,c)),'o'..o end if C~=''then table.insert(m,ak(a))table.insert(m,'t'..j)end ai(nil,m)return{'granted',a,e,c-a,z+1}end if l=='steal'then if not e then X()end W('F')d,n=0,0 elseif d>0 then if not M then if G>0 then Z()end return R(r,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,r-a}end if d==64 then return{'too_many_holds',a}end elseif z then local z=ae()if z>0 then Z()local k,q=S(w[3])if q>a and k>p[o]then return{'upgrade_refused',a}end return R(z,'w')end z=K()if z>0 then return R(z,'w')end end if l~='steal'then al(j)end if d==0 then f=math.max(f+1,a)x,B,E,Q=f,0,o,C end m[j],g=c,math.max(g,c)D()y()if e then redis.call('UNLINK',i)elseif z then redis.call('ZREM',i,'w'..j)N()end return{'granted',a,x,c-a,d+1}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", back: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    upgrade_refused: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5bc90ef3f5155e3a9761fdc2e0af60434e2a0b4d", "db32a60287959c9b5511c0ca4771c51d240305cf"];
