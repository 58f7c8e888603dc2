// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, fresh, one, oust, record, requests, rw } from "../parts.gen.ts";
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
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + oust + accounts + rw + requests + "local b,l=ARGV[2],ARGV[5]local j,o,C=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local c,G=a+ARGV[3]*1000,ARGV[7]*1000 if A('rw')then return{'kind',a,h}end if v(j)then return{'closed',a}end local r,d=L()if m[j]then return{'granted',a,x,m[j]-a,d}end local M,z=o~=''and o==E,g>a or h=='none'local P=d>0 and M local e=h~='rw'and h~='none'local k,u,w,p={},{},{},{[o]=0}local function aa(l,b)local d,r=S(b)if d>p[l]then table.insert(u,ac(d-p[l],r))table.insert(u,'o'..l)else table.insert(k,'o'..l)end end local function Z()local K,e={b,'r'..j,'o'..o,'w'..j},{}local f=redis.call('ZRANGEBYSCORE',i,-a,a,'WITHSCORES','LIMIT',0,50)for i=1,#f,2 do local d,c=f[i],f[i+1]+0 local l=d:match('^%x')and d:match('^[^@]*',36+1)if l and not p[l]then p[l]=0 table.insert(K,'o'..l)table.insert(e,l)end if l then p[l]=p[l]+1 end if l and d:find('@',36+1,true)then table.insert(k,'t'..d:sub(1,36))end if l and c>a-t*1000 then table.insert(u,string.format('%.1f',aj(c)))table.insert(u,d)elseif d~='w'..j then table.insert(k,d)end end w=redis.call('ZMSCORE',i,unpack(K))for i,l in ipairs(e)do aa(l,w[i+4])end end local function ai(c,m)if e then redis.call('UNLINK',i)k,u={},{}end local b={c}for E,z in ipairs(u)do table.insert(b,z)end for E,z in ipairs(m)do table.insert(b,z)end redis.call('ZADD',i,unpack(b))if#k>0 then redis.call('ZREM',i,unpack(k))elseif not e then redis.call('ZREMRANGEBYSCORE',i,4e15,aj(a-t*1000))end D()N()y()end local function R(z,c)if G>0 and c then local k=a+G+1000000 g=math.max(g,k)if c=='w'then n=math.max(n,k)end if p[o]>0 then aa(o,w[3])end local d=tonumber(w[c=='r'and 2 or 4]or 0)local b=c=='r'and ad(k)or-k ai(#u==0 and'LT'or nil,{string.format('%.0f',math.min(b,d)),c..j})end return{'held',a,z-a,math.max(a-f,0),G}end if l=='read'then Z()local u,l=tonumber(w[1]or 0),tonumber(w[2]or 0)local h,q=S(w[3])h=math.max(h-p[o],0)local s=(d==0 or P)and ae()>0 local z=s and q>a and h or 0 local Q=u>0 or P or z>0 local e=Q and M and x>0 and x or B if u>0 then if u<=a or u>4e15 or e==0 then return{'closed',a}end return{'granted',a,e,u-a,math.max(z,1)}end if Q and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if z>=64 then return{'too_many_holds',a}end if d>0 and not P then for E,d in ipairs(redis.call('ZRANGEBYSCORE',i,ad(a),-4.5e15,'LIMIT',0,math.max(50-#k,0)))do if d~='r'..j then table.insert(k,d)end end return R(r,'r')end if not Q then if n>a and l>=ad(a)then return R(g)end if not s then B=0 end if M or not s then x=0 end e=B end if e==0 then f=math.max(f+1,a)e,B=f,f end if l<0 then table.insert(k,'r'..j)end g=math.max(g,c)local m={string.format('%.0f',c),b}if o~=''then m[3],m[4]=ac(h+1,math.max(q,c)),'o'..o end if C~=''then table.insert(m,ak(a))table.insert(m,'t'..j)end ai(nil,m)return{'granted',a,e,c-a,z+1}end if l=='steal'then if not e then X()end W('F')d,n=0,0 elseif d>0 then if not M then if G>0 then Z()end return R(r,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,r-a}end if d==64 then return{'too_many_holds',a}end elseif z then local z=ae()if z>0 then Z()local k,q=S(w[3])if q>a and k>p[o]then return{'upgrade_refused',a}end return R(z,'w')end z=K()if z>0 then return R(z,'w')end end if l~='steal'then al(j)end if d==0 then f=math.max(f+1,a)x,B,E,Q=f,0,o,C end m[j],g=c,math.max(g,c)D()y()if e then redis.call('UNLINK',i)elseif z then redis.call('ZREM',i,'w'..j)N()end return{'granted',a,x,c-a,d+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["57b8f81fdc1a9552aac21f8d5d96ba9043a0a0df", "4f674650b8cbc2c1c9a663a18dd49822c3d382d0"];
