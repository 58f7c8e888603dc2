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
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + oust + owners + rw + "local t,c=ARGV[2],ARGV[5]local s,h=t:sub(1,36),t:sub(37)local n,A=e+ARGV[3]*1000,ARGV[8]*1000 if j('rw')then return{'kind',e,d}end if q(s)then return{'closed',e}end local u,a=K()if f[s]then return{'granted',e,g,f[s]-e,a}end local F=h~=''and h==B local O=a>0 and F local o=d~='rw'and d~='none'local m,k,x,p={},{},{},{[h]=0}local function R(c,t)local a,u=H(t)if a>p[c]then table.insert(k,U(a-p[c],u))table.insert(k,'o'..c)else table.insert(m,'o'..c)end end local function V()local N,l={t,'r'..s,'o'..h},{}local o=redis.call('ZRANGEBYSCORE',i,-e,e,'WITHSCORES','LIMIT',0,50)for i=1,#o,2 do local a,n=o[i],o[i+1]+0 local c=a:match('^%x.+')and a:sub(37)if c and not p[c]then p[c]=0 table.insert(N,'o'..c)table.insert(l,c)end if c then p[c]=p[c]+1 end if c and n>e-b*1000 then table.insert(k,string.format('%.1f',ee(n)))table.insert(k,a)elseif a~='w'..s then table.insert(m,a)end end x=redis.call('ZMSCORE',i,unpack(N))for i,c in ipairs(l)do R(c,x[i+3])end end local function Y(n,f)if o then redis.call('UNLINK',i)m,k={},{}end local t={n}for H,M in ipairs(k)do table.insert(t,M)end for H,M in ipairs(f)do table.insert(t,M)end redis.call('ZADD',i,unpack(t))if#m>0 then redis.call('ZREM',i,unpack(m))elseif not o then redis.call('ZREMRANGEBYSCORE',i,4e15,ee(e-b*1000))end z()L()y()end local function M(u,t,a)if A>0 and a then local m=e+A+1000000 r=math.max(r,m)if t==0 then E=math.max(E,m)end if p[h]>0 then R(h,x[3])end Y('LT',{string.format('%.0f',t-m),a..s})end return{'held',e,u-e,math.max(e-l,0),A}end if c=='read'then V()local k,c=tonumber(x[1]or 0),tonumber(x[2]or 0)local d,b=H(x[3])d=math.max(d-p[h],0)local y=(a==0 or O)and Z()>0 local A=y and b>e and d or 0 local R=k>0 or O or A>0 local o=R and F and g>0 and g or D if k>0 then if k<=e or k>4e15 or o==0 then return{'closed',e}end return{'granted',e,o,k-e,math.max(A,1)}end if R and ARGV[7]=='0'then return{'not_reentrant',e,r-e}end if A>=64 then return{'too_many_holds',e}end if a>0 and not O then for H,a in ipairs(redis.call('ZRANGEBYSCORE',i,-4.5e15-e,-4.5e15,'LIMIT',0,50-#m))do if a~='r'..s then table.insert(m,a)end end return M(u,-4.5e15,'r')end if not R then if E>e and c>=-4.5e15-e then return M(r)end if not y then D=0 end if F or not y then g=0 end o=D end if o==0 then l=math.max(l+1,e)o,D=l,l end if c<0 then table.insert(m,'r'..s)end r=math.max(r,n)local f={string.format('%.0f',n),t}if h~=''then f[3],f[4]=U(d+1,math.max(b,n)),'o'..h end Y(nil,f)return{'granted',e,o,n-e,A+1}end if c=='steal'then if o then redis.call('UNLINK',i)else X()end for e in pairs(f)do G(e,'F')end a,E=0,0 elseif a>0 then if not F then if A>0 then V()end return M(u,0,'w')end if ARGV[7]=='0'then return{'not_reentrant',e,u-e}end if a==64 then return{'too_many_holds',e}end else local u=Z()if u>0 then V()local k,b=H(x[3])if b>e and k>p[h]then return{'upgrade_refused',e}end return M(u,0,'w')end u=N()if u>0 then return M(u,0,'w')end end if c~='steal'then et(s)end if a==0 then l=math.max(l+1,e)g,D,B,Q=l,0,h,ARGV[6]end f[s],r=n,math.max(r,n)z()y()if o then redis.call('UNLINK',i)else redis.call('ZREM',i,'w'..s)end L()return{'granted',e,g,n-e,a+1}",
  replies: "granted token# remaining# holds#|held remaining# age# back#|not_reentrant remaining#|too_many_holds|upgrade_refused|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["525d2273fcb253e199b31db104fda99543ff0122", "e92897895dcd20367a89de578db85549f6e79a7e"];
