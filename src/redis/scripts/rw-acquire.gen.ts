// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, owners, record, rw } from "../parts.gen.ts";
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

export const rwAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, mode: string | number, label: string | number, reentrant: string | number, back: string | number], RwAcquireReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + oust + owners + rw + "local t,c=ARGV[2],ARGV[5]local s,h=t:sub(1,36),t:sub(37)local n,C=e+ARGV[3]*1000,ARGV[8]*1000 if x('rw')then return{'kind',e,d}end if j(s)then return{'closed',e}end local u,a=L()if f[s]then return{'granted',e,g,f[s]-e,a}end local F=h~=''and h==M local S=a>0 and F local o=d~='rw'and d~='none'local m,k,v,p={},{},{},{[h]=0}local function A(c,t)local a,u=H(t)if a>p[c]then table.insert(k,R(a-p[c],u))table.insert(k,'o'..c)else table.insert(m,'o'..c)end end local function W()local M,l={t,'r'..s,'o'..h},{}local o=redis.call('ZRANGEBYSCORE',i,-e,e,'WITHSCORES','LIMIT',0,50)for i=1,#o,2 do local a,n=o[i],o[i+1]+0 local c=a:match('^%x.+')and a:sub(37)if c and not p[c]then p[c]=0 table.insert(M,'o'..c)table.insert(l,c)end if c then p[c]=p[c]+1 end if c and n>e-b*1000 then table.insert(k,string.format('%.1f',ee(n)))table.insert(k,a)elseif a~='w'..s then table.insert(m,a)end end v=redis.call('ZMSCORE',i,unpack(M))for i,c in ipairs(l)do A(c,v[i+3])end end local function Z(n,f)if o then redis.call('UNLINK',i)m,k={},{}end local t={n}for H,M in ipairs(k)do table.insert(t,M)end for H,M in ipairs(f)do table.insert(t,M)end redis.call('ZADD',i,unpack(t))if#m>0 then redis.call('ZREM',i,unpack(m))elseif not o then redis.call('ZREMRANGEBYSCORE',i,4e15,ee(e-b*1000))end q()K()y()end local function N(u,t,a)if C>0 and a then local m=e+C+1000000 r=math.max(r,m)if t==0 then E=math.max(E,m)end if p[h]>0 then A(h,v[3])end Z('LT',{string.format('%.0f',t-m),a..s})end return{'held',e,u-e,math.max(e-l,0),C}end if c=='read'then W()local k,c=tonumber(v[1]or 0),tonumber(v[2]or 0)local d,b=H(v[3])d=math.max(d-p[h],0)local y=(a==0 or S)and V()>0 local A=y and b>e and d or 0 local P=k>0 or S or A>0 local o=P and F and g>0 and g or D if k>0 then if k<=e or k>4e15 or o==0 then return{'closed',e}end return{'granted',e,o,k-e,math.max(A,1)}end if P and ARGV[7]=='0'then return{'not_reentrant',e,r-e}end if A>=64 then return{'too_many_holds',e}end if a>0 and not S then for H,a in ipairs(redis.call('ZRANGEBYSCORE',i,-4.5e15-e,-4.5e15,'LIMIT',0,50-#m))do if a~='r'..s then table.insert(m,a)end end return N(u,-4.5e15,'r')end if not P then if E>e and c>=-4.5e15-e then return N(r)end if not y then D=0 end if F or not y then g=0 end o=D end if o==0 then l=math.max(l+1,e)o,D=l,l end if c<0 then table.insert(m,'r'..s)end r=math.max(r,n)local f={string.format('%.0f',n),t}if h~=''then f[3],f[4]=R(d+1,math.max(b,n)),'o'..h end Z(nil,f)return{'granted',e,o,n-e,A+1}end if c=='steal'then if o then redis.call('UNLINK',i)else Y()end for e in pairs(f)do G(e,'F')end a,E=0,0 elseif a>0 then if not F then if C>0 then W()end return N(u,0,'w')end if ARGV[7]=='0'then return{'not_reentrant',e,u-e}end if a==64 then return{'too_many_holds',e}end else local u=V()if u>0 then W()local k,b=H(v[3])if b>e and k>p[h]then return{'upgrade_refused',e}end return N(u,0,'w')end u=O()if u>0 then return N(u,0,'w')end end if c~='steal'then et(s)end if a==0 then l=math.max(l+1,e)g,D,M,P=l,0,h,ARGV[6]end f[s],r=n,math.max(r,n)q()y()if o then redis.call('UNLINK',i)else redis.call('ZREM',i,'w'..s)end K()return{'granted',e,g,n-e,a+1}",
  replies: "granted token# remaining# holds#|held remaining# age# back#|not_reentrant remaining#|too_many_holds|upgrade_refused|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["e1e5b0d1b78bd42cb855c67f393bd586ca451803", "c0de66e9f9d2ca90708336abf670dd99a8c45284"];
