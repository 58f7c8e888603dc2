// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const latch =
  "local s=m=='latch'and l>e local L,a,t=(s and b or'0 0 0'):match('^(%d+) (%d+) (%d+)$')L,a,t=tonumber(L),tonumber(a),tonumber(t)local function K()m,b='latch',string.format('%.0f %.0f %.0f',L,a,t)end\n";
export const once =
  "local d,u,n,s=0,'','',''if m=='once'and l>e then d,u,n,s=b:match('^(%d+) (%S*) (%S*) (.*)$')d=tonumber(d)end local function K()m,b='once',string.format('%.0f %s %s %s',d,u,n,s)end\n";
export const rw =
  "local Q=m=='rw'and b~=''and b or'0   0 0 'local h,G,H,x,T=Q:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')h,x,T=tonumber(h),tonumber(x),tonumber(T)local function K()m,b='rw',string.format('%.0f %s %s %.0f %.0f ',h,G,H,x,T)end local function ee()return tonumber(redis.call('ZREVRANGEBYSCORE',d,4e15,e+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function R()local A=redis.call('ZRANGEBYSCORE',d,-9e15,-4.5e15-e-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(A[2]or-4.5e15)end local function eo(i)local A=h>e and redis.call('ZRANGEBYSCORE',d,-4e15,-e-1,'WITHSCORES','LIMIT',0,2)or{}h=math.max(0,-(A[A[1]=='w'..i and 4 or 2]or 0))end\n";
export const clock =
  "local eA=redis.call('TIME')local e=eA[1]*1000000+eA[2]\n";
export const accounts =
  "local function p(m)local e=(m or 8e15)-8e15 return e%256,math.floor(e/256)*1000 end local function V(a,t)return string.format('%.0f',8e15+math.floor(t/1000)*256+math.min(a,255))end local function et(t)return 4e15+math.floor(t/8)+t%1 end\n";
export const lock =
  "local Q=m==u and b~=''and b or'  0 0'local G,H,x,p=Q:match('^(%S*) (%S*) (%d+) (%d+)')x,p=tonumber(x),tonumber(p)local function K()m,b=u,string.format('%s %s %.0f %.0f',G,H,x,p)end local function R(e)x=math.max(x==0 and e or x+(e-x)/8,0)end\n";
export const fair =
  "local g,h=Q:match('^%S* %S* %d+ %d+ (%d+) (%d+)')g,h=tonumber(g or 0),tonumber(h or 0)local function k()K()b=b..string.format(' %.0f %.0f',g,h)end\n";
export const queue =
  "local Y,ee=20000,2000000 local function eh(A,a)local e={}for k,i in ipairs(A)do local t=i:match('^w(.+)')if t~=a then table.insert(e,i)if t then table.insert(e,'p'..t)end end end if e[1]then redis.call('ZREM',d,unpack(e))end end local function er(t,o,g,D,L)if o==0 then o,g=10000,10000 end local e=(g+500)*math.sqrt(t+1)local i=math.min(math.max(1750,55*math.sqrt(e),(D-o)/16),10*Y)local a=math.max(o-D,0)+t*(o+2000)+i-e return math.floor(math.min(math.max(a,i),ee,t>0 and ee or L+1000))end local function em(e,j,a,...)l=math.max(l,a)return redis.call('ZADD',d,'LT',-a,'w'..e,j+4.5e15,'p'..e,...)end local function el(e)redis.call('ZREM',d,'p'..e,'w'..e)end local function ey()return-(redis.call('ZRANGEBYSCORE',d,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function eu()return redis.call('ZCOUNT',d,-4e15,string.format('(%.0f',-e))end\n";
export const oust =
  "local function j()local A=redis.call('ZRANGEBYSCORE',d,e+1,4e15)redis.call('ZREMRANGEBYSCORE',d,-1e16,0)redis.call('ZREMRANGEBYSCORE',d,4.5e15,1e16)for i=1,#A,2000 do local f={}for d=i,math.min(i+1999,#A)do table.insert(f,string.format('%.1f',e-0.5))table.insert(f,A[d])end redis.call('ZADD',d,unpack(f))end return#A>0 end\n";
export const semaphore =
  "local Q=(m=='semaphore'or m=='counter')and b~=''and b or' 0 0 0 0'local G,x,p,H,h=Q:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')G,x,p=l>e and tonumber(G)or nil,tonumber(x),tonumber(p)H,h=tonumber(H),tonumber(h)local function K(u)local i=G and string.format('%.0f',G)or''m,b=u,string.format('%s %.0f %.0f %.0f %.0f',i,x,p,H,h)end local function w(m)m=tonumber(m or 0)return math.max(m,0)/1024,m<0 and-m/1024%10 or nil end local function V(i)return string.format('%.0f',-1024*(math.floor((e+E*1000)/10)*10+i))end local function ei()local A=redis.call('ZRANGEBYSCORE',d,-1024*e,-1e18,'LIMIT',0,25)for d=1,#A do table.insert(A,'n'..A[d]:sub(2))end return A end local function eo()return redis.call('ZCOUNT',d,e+1,4e15)end\n";
export const members =
  "local function q(i)local s,G,H=i:match('^(.+)#(%d+)(.*)$')local A={not s and i or nil}for d=1,math.min(G or 0,1000)do A[d]=s..'#'..d..H end return A end local function v(m)return m%1>0 and'F'or'E'end local function es(e)return('R CFE'):sub(e,e)end\n";
export const crowded =
  "local function i(t,e)return redis.call('ZCOUNT',KEYS[2],t,e)end local s,u,t=i(e,4e15),i(-4e15,-e),i(-9e15,-4.5e15-e)if s>0 then local t=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,e,'WITHSCORES','LIMIT',0,1)[2]n=math.max(n,t)end\n";
export const waited =
  "local function w(i)if l>0 then p=math.max(p+math.min((i-p)/8,3*x)+l-e,0)end end\n";
export const permits =
  "local function et(i,t)local a,A,k=redis.call('ZRANGEBYSCORE',d,t,e,'WITHSCORES','LIMIT',0,i),{},{}for d=1,#a,2 do local i,m=a[d],a[d+1]+0 local t,c=i:match('^([tw])(.+)')local u='t'..i:sub(1,36)if m>=-e or m<-1e18 then table.insert(A,i)if t then table.insert(A,(t=='w'and'p'or'n')..c)elseif k[#k]~=u then table.insert(k,V(v(m)=='F'and 4 or 5))table.insert(k,u)end end end return A,k end local function ef(a,n)return not a or a>0 and a<n end local function ed()return unpack(redis.call('ZRANGEBYSCORE',d,e+1,4e15,'WITHSCORES','LIMIT',0,1))end local function I(i,o)local t,a=0,0 for k,m in ipairs(redis.call('ZMSCORE',d,unpack(q(i))))do m=tonumber(m or 0)if m>e then t,a=m,a+1 end end if a>0 then return{'granted',e,o,t-e,a}end end local function C(i,n,u,a,o,O,k)r=math.max(r+1,e)local t,f=e+a*1000,{string.format('%.0f',r*1024),'t'..i:sub(1,36)}if u=='counter'then t,f[1]=0,V(1)else for k,i in ipairs(q(i))do table.insert(f,string.format('%.0f',t))table.insert(f,i)end end l=math.max(l,t,G and e+o*1000 or 0)if m~=u and m~='none'then redis.call('UNLINK',d)O,k={},nil end for k,T in ipairs(k or{})do table.insert(f,T)end redis.call('ZADD',d,unpack(f))if#O>0 then redis.call('ZREM',d,unpack(O))end K(u)Z()X()return{'granted',e,r,(t>0 and t or l)-e,n}end\n";
export const elsewhere =
  "local function I(i,A)if l==math.huge then return{'lost',e,'gone'}end B(i,'C',A)return C()or{'closed',e}end\n";
export const records =
  "local g=redis.call('MGET',unpack(KEYS))\n";
export const crowd =
  "local d=KEYS[2]local function Z()redis.call('PEXPIRE',d,ea())end\n";
export const one =
  "local N=KEYS[1]local M=redis.call('GET',N)\n";
export const fresh =
  "if e>tonumber(ARGV[1])then return{'late',e}end\n";
export const reading =
  "if S(ARGV[1])then return{'kind',e,m}end if l<=e then return{'free',e,r}end local n,a=F()\n";
export const record =
  "M=M or'none 1 0 0   'local m,r,l,z,U,b=M:match('^(%a+) 1 (%d+) (%d+) ()')local P=z and M:find(' ',z,true)local c=P and M:find(' ',P+1,true)if c and(' none lock fair rw once semaphore counter latch '):find(' '..m..' ',1,true)then z,U,b=M:sub(z,P-1),M:sub(P+1,c-1),M:sub(c+1)else m=(M:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')r,l,z,U,b=0,math.huge,'','',''end r,l=tonumber(r),tonumber(l)local f,J={}local function B(i,W,A)local t=i:sub(25,36)..W f[i],J=nil,true if A==0 then local i=z:find(';',1,true)or#z+1 z=(z:sub(1,i-1)..t):sub(-832)..z:sub(i)else local i,a=string.format(';%.0f:',math.ceil((A or e+E*1000)/1e6))z,a=z:gsub(i,'%0'..t)if a==0 then z=z..i..t end end end for i,t in U:gmatch('([^:,]+):(%d+)')do f[i]=tonumber(t)if f[i]<=e then B(i,'E')end end local function W(i)local r=z:find(i:sub(25,36),1,true)return r and z:match('^%u',r+12)end local function S(u)return m~=u and l>e end local function F()local n,a=0,0 for k,t in pairs(f)do n,a=math.max(n,t),a+1 end return n,a end local function ea()return math.ceil(math.max(l-e,r-e,0)/1000)+E end local function X(a)local U=''for i,t in pairs(f)do U=U..string.format('%s:%.0f,',i,t)end if z:find(';',1,true)then z=z:gsub(';(%d+)[^;]*',function(A)if A*1e6<e then return''end end)end local o=string.format('%s 1 %.0f %.0f %s %s ',m,r,l,z,U)return(a or redis.call)('SET',N,o..b,'PX',ea(),'GET')end\n";
export const vacate =
  "local function C(o)local r=X(redis.pcall)if r and r.err and r.err:find('OOM',1,true)then redis.call('PEXPIRE',N,ea())r=X(redis.pcall)end if r and r.err then if not o or next(f)then return r end redis.call('DEL',N)end end\n";
export const ending =
  "local ed={R='released',C='released',E='expired',F='forced'}local function D(i,o,T,e)T=W(i)or T if r>o and(not T or T=='E')then return not T and e or'taken'end return ed[T]or r==o and'released'or'gone'end\n";
export const fence =
  "local M=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local d,a,t,c=M:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not d then local i,t=M:match('^(%a+) (%d+) ')return{'kind',e,i and i..'/'..t or'foreign'}end d,a=tonumber(d),tonumber(a)local s=c:sub(t+1)\n";
export const ran =
  "local i,o,l,Q,r=ARGV[2],tonumber(ARGV[3]),{},nil,1 while r<=tonumber(t)do local t=r+54+c:sub(r+52,r+54)table.insert(l,c:sub(r,t))if c:sub(r,r+35)==i then Q=c:sub(r+55,t)end r=t+1 end if not Q then local s=tonumber(ARGV[5])if s>e or(s<=a and a<=e)then return{'forgotten',e,d}end if o<d then return{'stale',e,d}end end local function m(t,d)table.insert(l,string.format('%s%016.0f%03d',i,e,#t)..t)while#l>64 or l[1]:sub(37,52)<string.format('%016.0f',e-60e6)do a=math.max(a,table.remove(l,1):sub(37,52))end local o=table.concat(l)local r=string.format('fence 1 %.0f %.0f %d ',d,a,#o)..o..s redis.call('SET',KEYS[1],r,'PX',ARGV[4])end\n";
