// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const clock =
  "local ec=redis.call('TIME')local e=ec[1]*1000000+ec[2]\n";
export const crowd =
  "local i=KEYS[2]local function K()redis.call('PEXPIRE',i,en())end\n";
export const elsewhere =
  "local function V(t,c)if r==math.huge then return{'lost',e,'gone'}end F(t,'C',c)return R()or{'closed',e}end\n";
export const ending =
  "local ed={R='released',C='released',E='expired',F='forced'}local function Q(t,o,y,e)y=q(t)or y if l>o and(not y or y=='E')then return not y and e or'taken'end return ed[y]or l==o and'released'or'gone'end\n";
export const fence =
  "local J=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local a,l,n,z=J:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not a then local t,n=J:match('^(%a+) (%d+) ')return{'kind',e,t and t..'/'..n or'foreign'}end a,l=tonumber(a),tonumber(l)local s=z:sub(n+1)\n";
export const fresh =
  "if e>tonumber(ARGV[1])then return{'late',e}end\n";
export const latch =
  "local s=d=='latch'and r>e local u,o,n=(s and x or'0 0 0'):match('^(%d+) (%d+) (%d+)$')u,o,n=tonumber(u),tonumber(o),tonumber(n)local function A()d,x='latch',string.format('%.0f %.0f %.0f',u,o,n)end\n";
export const lock =
  "local I=d==f and x~=''and x or'  0 0'local O,L,w,D=I:match('^(%S*) (%S*) (%d+) (%d+)$')w,D=tonumber(w),tonumber(D)local function A()d,x=f,string.format('%s %s %.0f %.0f',O,L,w,D)end local function E(e)w=math.max(w==0 and e or w+(e-w)/8,0)end\n";
export const members =
  "local function Y(t)local s,j=t:match('^(.+)#(%d+)$')local c={not s and t or nil}for i=1,math.min(j or 0,1000)do c[i]=s..'#'..i end return c end local function X(t)return t%1>0 and'F'or'E'end local function es(e)return('R CFE'):sub(e,e)end\n";
export const once =
  "local i,u,B,s=0,'','',''if d=='once'and r>e then i,u,B,s=x:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function A()d,x='once',table.concat({string.format('%.0f',i),u,B,s},' ')end\n";
export const one =
  "local N=KEYS[1]local J=redis.call('GET',N)\n";
export const oust =
  "local function Y()local c=redis.call('ZRANGEBYSCORE',i,e+1,4e15)redis.call('ZREMRANGEBYSCORE',i,-1e16,0)redis.call('ZREMRANGEBYSCORE',i,4.5e15,1e16)for t=1,#c,2000 do local m={}for i=t,math.min(t+1999,#c)do table.insert(m,string.format('%.1f',e-0.5))table.insert(m,c[i])end redis.call('ZADD',i,unpack(m))end return#c>0 end\n";
export const owners =
  "local function H(t)local e=(t or 8e15)-8e15 return e%256,math.floor(e/256)*1000 end local function T(a,n)return string.format('%.0f',8e15+math.floor(n/1000)*256+math.min(a,255))end local function et(n)return 4e15+math.floor(n/8)+n%1 end\n";
export const permits =
  "local function et(t,n)local o,c,y=redis.call('ZRANGEBYSCORE',i,n,e,'WITHSCORES','LIMIT',0,t),{},{}for i=1,#o,2 do local a,t=o[i],o[i+1]+0 local n,z=a:match('^([tw])(.+)')local u='t'..a:sub(1,36)if t>=-e or t<-1e18 then table.insert(c,a)if n then table.insert(c,(n=='w'and'p'or'n')..z)elseif y[#y]~=u then table.insert(y,Z(X(t)=='F'and 4 or 5))table.insert(y,u)end end end return c,y end local function ef(a,c)return not a or a>0 and a<c end local function ed()return unpack(redis.call('ZRANGEBYSCORE',i,e+1,4e15,'WITHSCORES','LIMIT',0,1))end local function R(t,o)local n,a=0,0 for G,t in ipairs(redis.call('ZMSCORE',i,unpack(Y(t))))do t=tonumber(t or 0)if t>e then n,a=t,a+1 end end if a>0 then return{'granted',e,o,n-e,a}end end local function V(t,c,f,a,o,p,y)l=math.max(l+1,e)local n,m=e+a*1000,{string.format('%.0f',l*1024),'t'..t:sub(1,36)}if f=='counter'then n,m[1]=0,Z(1)else for G,a in ipairs(Y(t))do table.insert(m,string.format('%.0f',n))table.insert(m,a)end end r=math.max(r,n,j and e+o*1000 or 0)if d~=f and d~='none'then redis.call('UNLINK',i)p,y={},nil end for G,L in ipairs(y or{})do table.insert(m,L)end redis.call('ZADD',i,unpack(m))if#p>0 then redis.call('ZREM',i,unpack(p))end A(f)K()v()return{'granted',e,l,(n>0 and n or r)-e,c}end\n";
export const queue =
  "local G,el=20000,2000000 local function eh(c,n)local e={}for G,a in ipairs(c)do local t=a:match('^w(.+)')if t~=n then table.insert(e,a)if t then table.insert(e,'p'..t)end end end if e[1]then redis.call('ZREM',i,unpack(e))end end local function ep(n)local t=tonumber(redis.call('ZSCORE',i,'p'..n)or nil)return t and t-4.5e15,redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',t or 7e15))end local function eo(n,t,Q,u)local e=t-Q local B=math.min(math.max(G,e/4,-e/16),10*G)+math.max(n-1,0)*0.7*(t+0.8*G)return math.floor(math.min(B,el,n>0 and B or u+1000))end local function ei(n,H,B,a,...)local t=e+B+a*1000 r=math.max(r,t)redis.call('ZADD',i,'LT',-t,'w'..n,H+4.5e15,'p'..n,...)end local function er(n)redis.call('ZREM',i,'p'..n,'w'..n)end local function eu()return-(redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function em()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f',-e))end\n";
export const ran =
  "local t,o,r,I,i=ARGV[2],tonumber(ARGV[3]),{},nil,1 while i<=tonumber(n)do local n=i+54+z:sub(i+52,i+54)table.insert(r,z:sub(i,n))if z:sub(i,i+35)==t then I=z:sub(i+55,n)end i=n+1 end if not I then local t=tonumber(ARGV[5])if t>e or(t<=l and l<=e)then return{'forgotten',e,a}end if o<a then return{'stale',e,a}end end local function d(n,i)table.insert(r,string.format('%s%016.0f%03d',t,e,#n)..n)while#r>64 or r[1]:sub(37,52)<string.format('%016.0f',e-60e6)do l=math.max(l,table.remove(r,1):sub(37,52))end local a=table.concat(r)local o=string.format('fence 1 %.0f %.0f %d ',i,l,#a)..a..s redis.call('SET',KEYS[1],o,'PX',ARGV[4])end\n";
export const reading =
  "if C(ARGV[1])then return{'kind',e,d}end if r<=e then return{'free',e,l}end local y,a=P()\n";
export const record =
  "J=J or'none 1 0 0   'local d,l,r,k,S,x=J:match('^(%a+) 1 (%d+) (%d+) ()')local W=k and J:find(' ',k,true)local z=W and J:find(' ',W+1,true)if z and(' none lock fair rw once semaphore counter latch '):find(' '..d..' ',1,true)then k,S,x=J:sub(k,W-1),J:sub(W+1,z-1),J:sub(z+1)else local t,n=J:match('^(%a+) (%d+) ')d=t and t..'/'..n or'foreign'l,r,k,S,x=0,math.huge,'','',''end l,r=tonumber(l),tonumber(r)local m,U={},false local function F(t,q,c)local n=t:sub(25,36)..q m[t],U=nil,true local a=k:find(';',1,true)or#k+1 if c==0 then k=(k:sub(1,a-1)..n):sub(-832)..k:sub(a)else local t=string.format(';%.0f:',math.ceil((c or e+b*1000)/1e6))local i=k:find(t,a,true)k=i and k:sub(1,i-1)..t..n..k:sub(i+#t)or k..t..n end end for t,n in S:gmatch('([^:,]+):(%d+)')do m[t]=tonumber(n)if m[t]<=e then F(t,'E')end end local function q(t)local i=k:find(t:sub(25,36),1,true)return i and k:match('^%u',i+12)end local function C(f)return d~=f and r>e end local function P()local y,a=0,0 for G,n in pairs(m)do y,a=math.max(y,n),a+1 end return y,a end local function en()return math.ceil(math.max(r-e,l-e,0)/1000)+b end local function v(a)local S,i='',k:find(';',1,true)for t,n in pairs(m)do S=S..string.format('%s:%.0f,',t,n)end while i do local t=k:find(';',i+1,true)or#k+1 if k:match('%d+',i)*1e6<e then k,t=k:sub(1,i-1)..k:sub(t),i end i=k:find(';',t,true)end local o=string.format('%s 1 %.0f %.0f %s %s ',d,l,r,k,S)return(a or redis.call)('SET',N,o..x,'PX',en(),'GET')end\n";
export const records =
  "local g=redis.call('MGET',unpack(KEYS))\n";
export const rw =
  "local I=d=='rw'and x~=''and x or'0   0 0 'local E,O,L,w,D=I:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')E,w,D=tonumber(E),tonumber(w),tonumber(D)local function A()d,x='rw',string.format('%.0f %s %s %.0f %.0f ',E,O,L,w,D)end local function Z()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function M()local c=redis.call('ZRANGEBYSCORE',i,-9e15,-4.5e15-e-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(c[2]or-4.5e15)end local function ea(t)local c=redis.call('ZRANGEBYSCORE',i,-4e15,-e-1,'WITHSCORES','LIMIT',0,2)E=math.max(0,-(c[c[1]=='w'..t and 4 or 2]or 0))end\n";
export const semaphore =
  "local I=(d=='semaphore'or d=='counter')and x~=''and x or' 0 0 0 0'local j,w,D,O,E=I:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')j,w,D=r>e and tonumber(j)or nil,tonumber(w),tonumber(D)O,E=tonumber(O),tonumber(E)local function A(f)local e=j and string.format('%.0f',j)or''d,x=f,string.format('%s %.0f %.0f %.0f %.0f',e,w,D,O,E)end local function T(t)t=tonumber(t or 0)return math.max(t,0)/1024,t<0 and-t/1024%10 or nil end local function Z(t)return string.format('%.0f',-1024*(math.floor((e+b*1000)/10)*10+t))end local function ee()local c=redis.call('ZRANGEBYSCORE',i,-1024*e,-1e18,'LIMIT',0,25)for i=1,#c do table.insert(c,'n'..c[i]:sub(2))end return c end local function ea()return redis.call('ZCOUNT',i,e+1,4e15)end\n";
export const vacate =
  "local function R(o)local t=v(redis.pcall)if t and t.err and t.err:find('OOM',1,true)then redis.call('PEXPIRE',N,en())t=v(redis.pcall)end if t and t.err then if not o or next(m)then return t end redis.call('DEL',N)end end\n";
