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
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + oust + owners + rw + "local t,m=ARGV[2],ARGV[5]local c,h=t:sub(1,36),t:sub(37)local n,B=e+ARGV[3]*1000,ARGV[8]*1000 if j('rw')then return{'kind',e,d}end if q(c)then return{'closed',e}end local u,a=K()if f[c]then return{'granted',e,w,f[c]-e,a}end local F=h~=''and h==C local O=a>0 and F local o=d~='rw'and d~='none'local s,k,y,p={},{},{},{[h]=0}local function S(m,t)local a,u=H(t)if a>p[m]then table.insert(k,R(a-p[m],u))table.insert(k,'o'..m)else table.insert(s,'o'..m)end end local function V()local N,l={t,'r'..c,'o'..h},{}local o=redis.call('ZRANGEBYSCORE',i,-e,e,'WITHSCORES','LIMIT',0,50)for i=1,#o,2 do local a,n=o[i],o[i+1]+0 local m=a:match('^%x.+')and a:sub(37)if m and not p[m]then p[m]=0 table.insert(N,'o'..m)table.insert(l,m)end if m then p[m]=p[m]+1 end if m and n>e-b*1000 then table.insert(k,string.format('%.1f',ee(n)))table.insert(k,a)elseif a~='w'..c then table.insert(s,a)end end y=redis.call('ZMSCORE',i,unpack(N))for i,m in ipairs(l)do S(m,y[i+3])end end local function Y(n,f)if o then redis.call('UNLINK',i)s,k={},{}end local t={n}for H,u in ipairs(k)do table.insert(t,u)end for H,u in ipairs(f)do table.insert(t,u)end redis.call('ZADD',i,unpack(t))if#s>0 then redis.call('ZREM',i,unpack(s))elseif not o then redis.call('ZREMRANGEBYSCORE',i,4e15,ee(e-b*1000))end A()L()g()end local function M(u,t,a)if B>0 and a then local s=e+B+1000000 r=math.max(r,s)if t==0 then E=math.max(E,s)end if p[h]>0 then S(h,y[3])end Y('LT',{string.format('%.0f',t-s),a..c})end return{'held',e,u-e,math.max(e-l,0),B}end if m=='read'then V()local k,m=tonumber(y[1]or 0),tonumber(y[2]or 0)local d,b=H(y[3])d=math.max(d-p[h],0)local g=(a==0 or O)and Z()>0 local B=g and b>e and d or 0 local S=k>0 or O or B>0 local o=S and F and w>0 and w or D if k>0 then if k<=e or k>4e15 or o==0 then return{'closed',e}end return{'granted',e,o,k-e,math.max(B,1)}end if S and ARGV[7]=='0'then return{'not_reentrant',e,r-e}end if B>=64 then return{'too_many_holds',e}end if a>0 and not O then for H,a in ipairs(redis.call('ZRANGEBYSCORE',i,-4.5e15-e,-4.5e15,'LIMIT',0,50-#s))do if a~='r'..c then table.insert(s,a)end end return M(u,-4.5e15,'r')end if not S then if E>e and m>=-4.5e15-e then return M(r)end if not g then D=0 end if F or not g then w=0 end o=D end if o==0 then l=math.max(l+1,e)o,D=l,l end if m<0 then table.insert(s,'r'..c)end r=math.max(r,n)local f={string.format('%.0f',n),t}if h~=''then f[3],f[4]=R(d+1,math.max(b,n)),'o'..h end Y(nil,f)return{'granted',e,o,n-e,B+1}end if m=='steal'then if o then redis.call('UNLINK',i)else X()end for e in pairs(f)do G(e,'F')end a,E=0,0 elseif a>0 then if not F then if B>0 then V()end return M(u,0,'w')end if ARGV[7]=='0'then return{'not_reentrant',e,u-e}end if a==64 then return{'too_many_holds',e}end else local u=Z()if u>0 then V()local k,b=H(y[3])if b>e and k>p[h]then return{'upgrade_refused',e}end return M(u,0,'w')end u=N()if u>0 then return M(u,0,'w')end end if m~='steal'then et(c)end if a==0 then l=math.max(l+1,e)w,D,C,Q=l,0,h,ARGV[6]end f[c],r=n,math.max(r,n)A()g()if o then redis.call('UNLINK',i)else redis.call('ZREM',i,'w'..c)end L()return{'granted',e,w,n-e,a+1}",
  replies: "granted token# remaining# holds#|held remaining# age# back#|not_reentrant remaining#|too_many_holds|upgrade_refused|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["17cfb35987e1779bfb1bd03a5cd9375e6c5b40cb", "6f79db749fc0eb117611afbe049f9a59f690b3d2"];
