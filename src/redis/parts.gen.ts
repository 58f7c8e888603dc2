// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const clock =
  "local ec=redis.call('TIME')local e=ec[1]*1000000+ec[2]\n";
export const crowd =
  "local i=KEYS[2]local function K()redis.call('PEXPIRE',i,en())end\n";
export const elsewhere =
  "local function W(t,m)if r==math.huge then return{'lost',e,'gone'}end F(t,'C',m)return S()or{'closed',e}end\n";
export const ending =
  "local ed={R='released',C='released',E='expired',F='forced'}local function R(t,l,u,e)u=j(t)or u if o>l and(not u or u=='E')then return not u and e or'taken'end return ed[u]or o==l and'released'or'gone'end\n";
export const fence =
  "local J=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local a,o,n,A=J:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not a then local t,n=J:match('^(%a+) (%d+) ')return{'kind',e,t and t..'/'..n or'foreign'}end a,o=tonumber(a),tonumber(o)local s=A:sub(n+1)\n";
export const fresh =
  "if e>tonumber(ARGV[1])then return{'late',e}end\n";
export const latch =
  "local s=d=='latch'and r>e local b,l,n=(s and x or'0 0 0'):match('^(%d+) (%d+) (%d+)$')b,l,n=tonumber(b),tonumber(l),tonumber(n)local function z()d,x='latch',string.format('%.0f %.0f %.0f',b,l,n)end\n";
export const lock =
  "local I=d==c and x~=''and x or'  0 0'local L,Q,y,D=I:match('^(%S*) (%S*) (%d+) (%d+)$')y,D=tonumber(y),tonumber(D)local function z()d,x=c,string.format('%s %s %.0f %.0f',L,Q,y,D)end local function E(e)y=math.max(y==0 and e or y+(e-y)/8,0)end\n";
export const members =
  "local function Z(t)local s,q=t:match('^(.+)#(%d+)$')local m={not s and t or nil}for i=1,math.min(q or 0,1000)do m[i]=s..'#'..i end return m end local function Y(t)return t%1>0 and'F'or'E'end local function es(e)return('R CFE'):sub(e,e)end\n";
export const once =
  "local i,b,C,s=0,'','',''if d=='once'and r>e then i,b,C,s=x:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function z()d,x='once',table.concat({string.format('%.0f',i),b,C,s},' ')end\n";
export const one =
  "local P=KEYS[1]local J=redis.call('GET',P)\n";
export const oust =
  "local function R()local m=redis.call('ZRANGEBYSCORE',i,e+1,4e15)redis.call('ZREMRANGEBYSCORE',i,-1e16,0)redis.call('ZREMRANGEBYSCORE',i,4.5e15,1e16)for t=1,#m,2000 do local f={}for i=t,math.min(t+1999,#m)do table.insert(f,string.format('%.1f',e-0.5))table.insert(f,m[i])end redis.call('ZADD',i,unpack(f))end return#m>0 end\n";
export const owners =
  "local function H(t)local e=(t or 8e15)-8e15 return e%256,math.floor(e/256)*1000 end local function U(a,n)return string.format('%.0f',8e15+math.floor(n/1000)*256+math.min(a,255))end local function et(n)return 4e15+math.floor(n/8)+n%1 end\n";
export const permits =
  "local function W(t,n)local o,m,u=redis.call('ZRANGEBYSCORE',i,n,e,'WITHSCORES','LIMIT',0,t),{},{}for i=1,#o,2 do local a,t=o[i],o[i+1]+0 local n,A=a:match('^([tw])(.+)')local b='t'..a:sub(1,36)if t>=-e or t<-1e18 then table.insert(m,a)if n then table.insert(m,(n=='w'and'p'or'n')..A)elseif u[#u]~=b then table.insert(u,ee(Y(t)=='F'and 4 or 5))table.insert(u,b)end end end return m,u end local function ef(a,m)return not a or a>0 and a<m end local function ed()return unpack(redis.call('ZRANGEBYSCORE',i,e+1,4e15,'WITHSCORES','LIMIT',0,1))end local function R(t,l)local n,a=0,0 for G,t in ipairs(redis.call('ZMSCORE',i,unpack(Z(t))))do t=tonumber(t or 0)if t>e then n,a=t,a+1 end end if a>0 then return{'granted',e,l,n-e,a}end end local function S(t,m,c,a,l,p,u)o=math.max(o+1,e)local n,f=e+a*1000,{string.format('%.0f',o*1024),'t'..t:sub(1,36)}if c=='counter'then n,f[1]=0,ee(1)else for G,a in ipairs(Z(t))do table.insert(f,string.format('%.0f',n))table.insert(f,a)end end r=math.max(r,n,q and e+l*1000 or 0)if d~=c and d~='none'then redis.call('UNLINK',i)p,u={},nil end for G,L in ipairs(u or{})do table.insert(f,L)end redis.call('ZADD',i,unpack(f))if#p>0 then redis.call('ZREM',i,unpack(p))end z(c)K()v()return{'granted',e,o,(n>0 and n or r)-e,m}end\n";
export const queue =
  "local G,el=20000,2000000 local function eh(m,n)local e={}for G,a in ipairs(m)do local t=a:match('^w(.+)')if t~=n then table.insert(e,a)if t then table.insert(e,'p'..t)end end end if e[1]then redis.call('ZREM',i,unpack(e))end end local function ep(n)local t=tonumber(redis.call('ZSCORE',i,'p'..n)or nil)return t and t-4.5e15,redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',t or 7e15))end local function eo(n,t,O,b)local e=t-O local C=math.min(math.max(G,e/4,-e/16),10*G)+math.max(n-1,0)*0.7*(t+0.8*G)return math.floor(math.min(C,el,n>0 and C or b+1000))end local function ei(n,H,C,a,...)local t=e+C+a*1000 r=math.max(r,t)redis.call('ZADD',i,'LT',-t,'w'..n,H+4.5e15,'p'..n,...)end local function er(n)redis.call('ZREM',i,'p'..n,'w'..n)end local function eu()return-(redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function em()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f',-e))end\n";
export const ran =
  "local t,l,r,I,i=ARGV[2],tonumber(ARGV[3]),{},nil,1 while i<=tonumber(n)do local n=i+54+A:sub(i+52,i+54)table.insert(r,A:sub(i,n))if A:sub(i,i+35)==t then I=A:sub(i+55,n)end i=n+1 end if not I then local t=tonumber(ARGV[5])if t>e or(t<=o and o<=e)then return{'forgotten',e,a}end if l<a then return{'stale',e,a}end end local function d(n,i)table.insert(r,string.format('%s%016.0f%03d',t,e,#n)..n)while#r>64 or r[1]:sub(37,52)<string.format('%016.0f',e-60e6)do o=math.max(o,table.remove(r,1):sub(37,52))end local a=table.concat(r)local l=string.format('fence 1 %.0f %.0f %d ',i,o,#a)..a..s redis.call('SET',KEYS[1],l,'PX',ARGV[4])end\n";
export const reading =
  "if B(ARGV[1])then return{'kind',e,d}end if r<=e then return{'free',e,o}end local u,a=M()\n";
export const record =
  "J=J or'none 1 0 0   'local d,o,r,g,T,x=J:match('^(%a+) 1 (%d+) (%d+) ()')local X=g and J:find(' ',g,true)local A=X and J:find(' ',X+1,true)if A and(' none lock fair rw once semaphore counter latch '):find(' '..d..' ',1,true)then g,T,x=J:sub(g,X-1),J:sub(X+1,A-1),J:sub(A+1)else local t,n=J:match('^(%a+) (%d+) ')d=t and t..'/'..n or'foreign'o,r,g,T,x=0,math.huge,'','',''end o,r=tonumber(o),tonumber(r)local f,V={},false local function F(t,j,m)local n=t:sub(25,36)..j f[t],V=nil,true local a=g:find(';',1,true)or#g+1 if m==0 then g=(g:sub(1,a-1)..n):sub(-832)..g:sub(a)else local t=string.format(';%.0f:',math.ceil((m or e+k*1000)/1e6))local i=g:find(t,a,true)g=i and g:sub(1,i-1)..t..n..g:sub(i+#t)or g..t..n end end for t,n in T:gmatch('([^:,]+):(%d+)')do f[t]=tonumber(n)if f[t]<=e then F(t,'E')end end local function j(t)local i=g:find(t:sub(25,36),1,true)return i and g:match('^%u',i+12)end local function B(c)return d~=c and r>e end local function M()local u,a=0,0 for G,n in pairs(f)do u,a=math.max(u,n),a+1 end return u,a end local function en()return math.ceil(math.max(r-e,o-e,0)/1000)+k end local function v(a)local T,i='',g:find(';',1,true)for t,n in pairs(f)do T=T..string.format('%s:%.0f,',t,n)end while i do local t=g:find(';',i+1,true)or#g+1 if g:match('%d+',i)*1e6<e then g,t=g:sub(1,i-1)..g:sub(t),i end i=g:find(';',t,true)end local l=string.format('%s 1 %.0f %.0f %s %s ',d,o,r,g,T)return(a or redis.call)('SET',P,l..x,'PX',en(),'GET')end\n";
export const records =
  "local w=redis.call('MGET',unpack(KEYS))\n";
export const rw =
  "local I=d=='rw'and x~=''and x or'0   0 0 'local E,L,Q,y,D=I:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')E,y,D=tonumber(E),tonumber(y),tonumber(D)local function z()d,x='rw',string.format('%.0f %s %s %.0f %.0f ',E,L,Q,y,D)end local function ee()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function N()local m=redis.call('ZRANGEBYSCORE',i,-9e15,-4.5e15-e-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(m[2]or-4.5e15)end local function ea(t)local m=redis.call('ZRANGEBYSCORE',i,-4e15,-e-1,'WITHSCORES','LIMIT',0,2)E=math.max(0,-(m[m[1]=='w'..t and 4 or 2]or 0))end\n";
export const semaphore =
  "local I=(d=='semaphore'or d=='counter')and x~=''and x or' 0 0 0 0'local q,y,D,Q,E=I:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')q,y,D=r>e and tonumber(q)or nil,tonumber(y),tonumber(D)Q,E=tonumber(Q),tonumber(E)local function z(c)local e=q and string.format('%.0f',q)or''d,x=c,string.format('%s %.0f %.0f %.0f %.0f',e,y,D,Q,E)end local function U(t)t=tonumber(t or 0)return math.max(t,0)/1024,t<0 and-t/1024%10 or nil end local function ee(t)return string.format('%.0f',-1024*(math.floor((e+k*1000)/10)*10+t))end local function et()local m=redis.call('ZRANGEBYSCORE',i,-1024*e,-1e18,'LIMIT',0,25)for i=1,#m do table.insert(m,'n'..m[i]:sub(2))end return m end local function ea()return redis.call('ZCOUNT',i,e+1,4e15)end\n";
export const vacate =
  "local function S(o)local t=v(redis.pcall)if t and t.err and t.err:find('OOM',1,true)then redis.call('PEXPIRE',P,en())t=v(redis.pcall)end if t and t.err then if not o or next(f)then return t end redis.call('DEL',P)end end\n";
export const waited =
  "local function H(t)if r>0 then D=math.max(D+math.min((t-D)/8,3*y)+r-e,0)end end\n";
