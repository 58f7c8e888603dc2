// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, fresh, one, oust, record, rw } from "../parts.gen.ts";
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
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + oust + accounts + rw + "local b,V=ARGV[2],ARGV[5]local j,o,N=b:sub(1,36),b:match('^([^@]*)@?(.*)$',37)local c,m=a+ARGV[3]*1000,ARGV[7]*1000 if A('rw')then return{'kind',a,h}end if y(j)then return{'closed',a}end local r,d=J()if l[j]then return{'granted',a,w,l[j]-a,d}end local H,Y=o~=''and o==B,g>a or h=='none'local S=d>0 and H local e=h~='rw'and h~='none'local k,u,v,p={},{},{},{[o]=0}local function X(m,h)local d,r=C(h)if d>p[m]then table.insert(u,Z(d-p[m],r))table.insert(u,'o'..m)else table.insert(k,'o'..m)end end local function Q()local K,e={b,'r'..j,'o'..o,'w'..j},{}local d=redis.call('ZRANGEBYSCORE',i,-a,a,'WITHSCORES','LIMIT',0,50)for i=1,#d,2 do local b,c=d[i],d[i+1]+0 local m=b:match('^%x')and b:match('^[^@]*',37)if m and not p[m]then p[m]=0 table.insert(K,'o'..m)table.insert(e,m)end if m then p[m]=p[m]+1 end if m and b:find('@',37,true)then table.insert(k,'t'..b:sub(1,36))end if m and c>a-t*1000 then table.insert(u,string.format('%.1f',ac(c)))table.insert(u,b)elseif b~='w'..j then table.insert(k,b)end end v=redis.call('ZMSCORE',i,unpack(K))for i,m in ipairs(e)do X(m,v[i+4])end end local function ab(c,l)if e then redis.call('UNLINK',i)k,u={},{}end local b={c}for H,z in ipairs(u)do table.insert(b,z)end for H,z in ipairs(l)do table.insert(b,z)end redis.call('ZADD',i,unpack(b))if#k>0 then redis.call('ZREM',i,unpack(k))elseif not e then redis.call('ZREMRANGEBYSCORE',i,4e15,ac(a-t*1000))end D()O()x()end local function P(z,h,b)if m>0 and b then local k=a+m+1000000 g=math.max(g,k)if h==0 then n=math.max(n,k)end if p[o]>0 then X(o,v[3])end local c=tonumber(v[b=='r'and 2 or 4]or 0)ab(#u==0 and'LT'or nil,{string.format('%.0f',math.min(h-k,c)),b..j})end return{'held',a,z-a,math.max(a-f,0),m}end if V=='read'then Q()local m,K=tonumber(v[1]or 0),tonumber(v[2]or 0)local h,q=C(v[3])h=math.max(h-p[o],0)local s=(d==0 or S)and aa()>0 local u=s and q>a and h or 0 local V=m>0 or S or u>0 local e=V and H and w>0 and w or z if m>0 then if m<=a or m>4e15 or e==0 then return{'closed',a}end return{'granted',a,e,m-a,math.max(u,1)}end if V and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if u>=64 then return{'too_many_holds',a}end if d>0 and not S then for H,b in ipairs(redis.call('ZRANGEBYSCORE',i,-4.5e15-a,-4.5e15,'LIMIT',0,math.max(50-#k,0)))do if b~='r'..j then table.insert(k,b)end end return P(r,-4.5e15,'r')end if not V then if n>a and K>=-4.5e15-a then return P(g)end if not s then z=0 end if H or not s then w=0 end e=z end if e==0 then f=math.max(f+1,a)e,z=f,f end if K<0 then table.insert(k,'r'..j)end g=math.max(g,c)local l={string.format('%.0f',c),b}if o~=''then l[3],l[4]=Z(h+1,math.max(q,c)),'o'..o end if N~=''then table.insert(l,string.format('%.0f',a*1024))table.insert(l,'t'..j)end ab(nil,l)return{'granted',a,e,c-a,u+1}end if V=='steal'then if not e then K()end for a in pairs(l)do E(a,'F')end d,n=0,0 elseif d>0 then if not H then if m>0 then Q()end return P(r,0,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,r-a}end if d==64 then return{'too_many_holds',a}end elseif Y then local z=aa()if z>0 then Q()local k,q=C(v[3])if q>a and k>p[o]then return{'upgrade_refused',a}end return P(z,0,'w')end z=M()if z>0 then return P(z,0,'w')end end if V~='steal'then ae(j)end if d==0 then f=math.max(f+1,a)w,z,B,R=f,0,o,N end l[j],g=c,math.max(g,c)D()x()if e then redis.call('UNLINK',i)elseif Y then redis.call('ZREM',i,'w'..j)O()end return{'granted',a,w,c-a,d+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["6177fb57192a08b302d8b36d8b9b56a45e41a767", "ca04a5efa3a9aa500db599ae2b11bb6bf14459e9"];
