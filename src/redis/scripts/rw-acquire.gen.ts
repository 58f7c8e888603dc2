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
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + oust + owners + rw + "local t,m=ARGV[2],ARGV[5]local c,h=t:sub(1,36),t:sub(37)local n,B=e+ARGV[3]*1000,ARGV[8]*1000 if z('rw')then return{'kind',e,d}end if q(c)then return{'closed',e}end local u,a=L()if f[c]then return{'granted',e,x,f[c]-e,a}end local G=h~=''and h==C local T=a>0 and G local o=d~='rw'and d~='none'local s,g,w,p={},{},{},{[h]=0}local function Y(m,t)local a,u=H(t)if a>p[m]then table.insert(g,R(a-p[m],u))table.insert(g,'o'..m)else table.insert(s,'o'..m)end end local function W()local O,o={t,'r'..c,'o'..h},{}local l=redis.call('ZRANGEBYSCORE',i,-e,e,'WITHSCORES','LIMIT',0,50)for i=1,#l,2 do local a,n=l[i],l[i+1]+0 local m=a:match('^%x.+')and a:sub(37)if m and not p[m]then p[m]=0 table.insert(O,'o'..m)table.insert(o,m)end if m then p[m]=p[m]+1 end if m and n>e-b*1000 then table.insert(g,string.format('%.1f',ee(n)))table.insert(g,a)elseif a~='w'..c then table.insert(s,a)end end w=redis.call('ZMSCORE',i,unpack(O))for i,m in ipairs(o)do Y(m,w[i+3])end end local function Z(n,f)if o then redis.call('UNLINK',i)s,g={},{}end local t={n}for H,u in ipairs(g)do table.insert(t,u)end for H,u in ipairs(f)do table.insert(t,u)end redis.call('ZADD',i,unpack(t))if#s>0 then redis.call('ZREM',i,unpack(s))elseif not o then redis.call('ZREMRANGEBYSCORE',i,4e15,ee(e-b*1000))end A()K()v()end local function M(u,t,a)if B>0 and a then local g=e+B+1000000 r=math.max(r,g)if t==0 then D=math.max(D,g)end if p[h]>0 then Y(h,w[3])end Z('LT',{string.format('%.0f',t-g),a..c})end return{'held',e,u-e,math.max(e-l,0),B}end if m=='read'then W()local C,m=tonumber(w[1]or 0),tonumber(w[2]or 0)local d,b=H(w[3])d=math.max(d-p[h],0)local k=(a==0 or T)and S()>0 local g=k and b>e and d or 0 local P=C>0 or T or g>0 local o=P and G and x>0 and x or E if C>0 then if C<=e or C>4e15 or o==0 then return{'closed',e}end return{'granted',e,o,C-e,math.max(g,1)}end if P and ARGV[7]=='0'then return{'not_reentrant',e,r-e}end if g>=64 then return{'too_many_holds',e}end if a>0 and not T then for H,a in ipairs(redis.call('ZRANGEBYSCORE',i,-4.5e15-e,-4.5e15,'LIMIT',0,50-#s))do if a~='r'..c then table.insert(s,a)end end return M(u,-4.5e15,'r')end if not P then if D>e and m>=-4.5e15-e then return M(r)end if not k then E=0 end if G or not k then x=0 end o=E end if o==0 then l=math.max(l+1,e)o,E=l,l end if m<0 then table.insert(s,'r'..c)end r=math.max(r,n)local f={string.format('%.0f',n),t}if h~=''then f[3],f[4]=R(d+1,math.max(b,n)),'o'..h end Z(nil,f)return{'granted',e,o,n-e,g+1}end if m=='steal'then if o then redis.call('UNLINK',i)else N()end for e in pairs(f)do F(e,'F')end a,D=0,0 elseif a>0 then if not G then if B>0 then W()end return M(u,0,'w')end if ARGV[7]=='0'then return{'not_reentrant',e,u-e}end if a==64 then return{'too_many_holds',e}end else local u=S()if u>0 then W()local g,b=H(w[3])if b>e and g>p[h]then return{'upgrade_refused',e}end return M(u,0,'w')end u=O()if u>0 then return M(u,0,'w')end end if m~='steal'then et(c)end if a==0 then l=math.max(l+1,e)x,E,C,P=l,0,h,ARGV[6]end f[c],r=n,math.max(r,n)A()v()if o then redis.call('UNLINK',i)else redis.call('ZREM',i,'w'..c)end K()return{'granted',e,x,n-e,a+1}",
  replies: "granted token# remaining# holds#|held remaining# age# back#|not_reentrant remaining#|too_many_holds|upgrade_refused|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["97116517bb0cdf6488615fdcb21bd093b2b956de", "f033186ffdfdaf503c6b35f34325cb62299aad24"];
