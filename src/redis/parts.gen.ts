// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const clock =
  "local ec=redis.call('TIME')local e=ec[1]*1000000+ec[2]\n";
export const crowd =
  "local i=KEYS[2]local function L()redis.call('PEXPIRE',i,en())end\n";
export const crowded =
  "local function n(t,e)return redis.call('ZCOUNT',KEYS[2],t,e)end local t,i,o=n(e,4e15),n(-4e15,-e),n(-9e15,-4.5e15-e)if t>0 then local n=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,e,'WITHSCORES','LIMIT',0,1)[2]u=math.max(u,n)end\n";
export const elsewhere =
  "local function V(t,s)if r==math.huge then return{'lost',e,'gone'}end G(t,'C',s)return S()or{'closed',e}end\n";
export const ending =
  "local ed={R='released',C='released',E='expired',F='forced'}local function M(t,o,u,e)u=q(t)or u if l>o and(not u or u=='E')then return not u and e or'taken'end return ed[u]or l==o and'released'or'gone'end\n";
export const fence =
  "local J=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local c,a,n,z=J:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not c then local t,n=J:match('^(%a+) (%d+) ')return{'kind',e,t and t..'/'..n or'foreign'}end c,a=tonumber(c),tonumber(a)local d=z:sub(n+1)\n";
export const fresh =
  "if e>tonumber(ARGV[1])then return{'late',e}end\n";
export const latch =
  "local s=d=='latch'and r>e local k,o,n=(s and v or'0 0 0'):match('^(%d+) (%d+) (%d+)$')k,o,n=tonumber(k),tonumber(o),tonumber(n)local function A()d,v='latch',string.format('%.0f %.0f %.0f',k,o,n)end\n";
export const lock =
  "local I=d==m and v~=''and v or'  0 0'local C,Q,w,D=I:match('^(%S*) (%S*) (%d+) (%d+)$')w,D=tonumber(w),tonumber(D)local function A()d,v=m,string.format('%s %s %.0f %.0f',C,Q,w,D)end local function E(e)w=math.max(w==0 and e or w+(e-w)/8,0)end\n";
export const members =
  "local function Y(t)local c,C=t:match('^(.+)#(%d+)$')local s={not c and t or nil}for i=1,math.min(C or 0,1000)do s[i]=c..'#'..i end return s end local function X(t)return t%1>0 and'F'or'E'end local function es(e)return('R CFE'):sub(e,e)end\n";
export const once =
  "local i,k,B,c=0,'','',''if d=='once'and r>e then i,k,B,c=v:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function A()d,v='once',table.concat({string.format('%.0f',i),k,B,c},' ')end\n";
export const one =
  "local P=KEYS[1]local J=redis.call('GET',P)\n";
export const oust =
  "local function X()local s=redis.call('ZRANGEBYSCORE',i,e+1,4e15)redis.call('ZREMRANGEBYSCORE',i,-1e16,0)redis.call('ZREMRANGEBYSCORE',i,4.5e15,1e16)for t=1,#s,2000 do local f={}for i=t,math.min(t+1999,#s)do table.insert(f,string.format('%.1f',e-0.5))table.insert(f,s[i])end redis.call('ZADD',i,unpack(f))end return#s>0 end\n";
export const owners =
  "local function H(t)local e=(t or 8e15)-8e15 return e%256,math.floor(e/256)*1000 end local function R(a,n)return string.format('%.0f',8e15+math.floor(n/1000)*256+math.min(a,255))end local function ee(n)return 4e15+math.floor(n/8)+n%1 end\n";
export const permits =
  "local function et(n,t)local o,s,F=redis.call('ZRANGEBYSCORE',i,t,e,'WITHSCORES','LIMIT',0,n),{},{}for i=1,#o,2 do local a,t=o[i],o[i+1]+0 local n,z=a:match('^([tw])(.+)')local k='t'..a:sub(1,36)if t>=-e or t<-1e18 then table.insert(s,a)if n then table.insert(s,(n=='w'and'p'or'n')..z)elseif F[#F]~=k then table.insert(F,Z(X(t)=='F'and 4 or 5))table.insert(F,k)end end end return s,F end local function ef(a,s)return not a or a>0 and a<s end local function ed()return unpack(redis.call('ZRANGEBYSCORE',i,e+1,4e15,'WITHSCORES','LIMIT',0,1))end local function S(t,o)local n,a=0,0 for H,t in ipairs(redis.call('ZMSCORE',i,unpack(Y(t))))do t=tonumber(t or 0)if t>e then n,a=t,a+1 end end if a>0 then return{'granted',e,o,n-e,a}end end local function V(t,s,m,a,o,p,F)l=math.max(l+1,e)local n,f=e+a*1000,{string.format('%.0f',l*1024),'t'..t:sub(1,36)}if m=='counter'then n,f[1]=0,Z(1)else for H,a in ipairs(Y(t))do table.insert(f,string.format('%.0f',n))table.insert(f,a)end end r=math.max(r,n,C and e+o*1000 or 0)if d~=m and d~='none'then redis.call('UNLINK',i)p,F={},nil end for H,u in ipairs(F or{})do table.insert(f,u)end redis.call('ZADD',i,unpack(f))if#p>0 then redis.call('ZREM',i,unpack(p))end A(m)L()g()return{'granted',e,l,(n>0 and n or r)-e,s}end\n";
export const queue =
  "local H,el=20000,2000000 local function eh(s,n)local e={}for H,a in ipairs(s)do local t=a:match('^w(.+)')if t~=n then table.insert(e,a)if t then table.insert(e,'p'..t)end end end if e[1]then redis.call('ZREM',i,unpack(e))end end local function ep(n)local t=tonumber(redis.call('ZSCORE',i,'p'..n)or nil)return t and t-4.5e15,redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',t or 7e15))end local function eo(n,t,O,k)local e=t-O local B=math.min(math.max(H,e/4,-e/16),10*H)+math.max(n-1,0)*0.7*(t+0.8*H)return math.floor(math.min(B,el,n>0 and B or k+1000))end local function ei(n,M,B,a,...)local t=e+B+a*1000 r=math.max(r,t)redis.call('ZADD',i,'LT',-t,'w'..n,M+4.5e15,'p'..n,...)end local function er(n)redis.call('ZREM',i,'p'..n,'w'..n)end local function eu()return-(redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function em()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f',-e))end\n";
export const ran =
  "local t,o,l,I,i=ARGV[2],tonumber(ARGV[3]),{},nil,1 while i<=tonumber(n)do local n=i+54+z:sub(i+52,i+54)table.insert(l,z:sub(i,n))if z:sub(i,i+35)==t then I=z:sub(i+55,n)end i=n+1 end if not I then local t=tonumber(ARGV[5])if t>e or(t<=a and a<=e)then return{'forgotten',e,c}end if o<c then return{'stale',e,c}end end local function r(n,s)table.insert(l,string.format('%s%016.0f%03d',t,e,#n)..n)while#l>64 or l[1]:sub(37,52)<string.format('%016.0f',e-60e6)do a=math.max(a,table.remove(l,1):sub(37,52))end local o=table.concat(l)local i=string.format('fence 1 %.0f %.0f %d ',s,a,#o)..o..d redis.call('SET',KEYS[1],i,'PX',ARGV[4])end\n";
export const reading =
  "if j(ARGV[1])then return{'kind',e,d}end if r<=e then return{'free',e,l}end local u,a=K()\n";
export const record =
  "J=J or'none 1 0 0   'local d,l,r,x,U,v=J:match('^(%a+) 1 (%d+) (%d+) ()')local W=x and J:find(' ',x,true)local z=W and J:find(' ',W+1,true)if z and(' none lock fair rw once semaphore counter latch '):find(' '..d..' ',1,true)then x,U,v=J:sub(x,W-1),J:sub(W+1,z-1),J:sub(z+1)else local t,n=J:match('^(%a+) (%d+) ')d=t and t..'/'..n or'foreign'l,r,x,U,v=0,math.huge,'','',''end l,r=tonumber(l),tonumber(r)local f,T={},false local function G(t,q,s)local n=t:sub(25,36)..q f[t],T=nil,true local a=x:find(';',1,true)or#x+1 if s==0 then x=(x:sub(1,a-1)..n):sub(-832)..x:sub(a)else local t=string.format(';%.0f:',math.ceil((s or e+b*1000)/1e6))local i=x:find(t,a,true)x=i and x:sub(1,i-1)..t..n..x:sub(i+#t)or x..t..n end end for t,n in U:gmatch('([^:,]+):(%d+)')do f[t]=tonumber(n)if f[t]<=e then G(t,'E')end end local function q(t)local i=x:find(t:sub(25,36),1,true)return i and x:match('^%u',i+12)end local function j(m)return d~=m and r>e end local function K()local u,a=0,0 for H,n in pairs(f)do u,a=math.max(u,n),a+1 end return u,a end local function en()return math.ceil(math.max(r-e,l-e,0)/1000)+b end local function g(a)local U,i='',x:find(';',1,true)for t,n in pairs(f)do U=U..string.format('%s:%.0f,',t,n)end while i do local t=x:find(';',i+1,true)or#x+1 if x:match('%d+',i)*1e6<e then x,t=x:sub(1,i-1)..x:sub(t),i end i=x:find(';',t,true)end local o=string.format('%s 1 %.0f %.0f %s %s ',d,l,r,x,U)return(a or redis.call)('SET',P,o..v,'PX',en(),'GET')end\n";
export const records =
  "local B=redis.call('MGET',unpack(KEYS))\n";
export const rw =
  "local I=d=='rw'and v~=''and v or'0   0 0 'local E,C,Q,w,D=I:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')E,w,D=tonumber(E),tonumber(w),tonumber(D)local function A()d,v='rw',string.format('%.0f %s %s %.0f %.0f ',E,C,Q,w,D)end local function Z()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function N()local s=redis.call('ZRANGEBYSCORE',i,-9e15,-4.5e15-e-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(s[2]or-4.5e15)end local function et(t)local s=redis.call('ZRANGEBYSCORE',i,-4e15,-e-1,'WITHSCORES','LIMIT',0,2)E=math.max(0,-(s[s[1]=='w'..t and 4 or 2]or 0))end\n";
export const semaphore =
  "local I=(d=='semaphore'or d=='counter')and v~=''and v or' 0 0 0 0'local C,w,D,Q,E=I:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')C,w,D=r>e and tonumber(C)or nil,tonumber(w),tonumber(D)Q,E=tonumber(Q),tonumber(E)local function A(m)local e=C and string.format('%.0f',C)or''d,v=m,string.format('%s %.0f %.0f %.0f %.0f',e,w,D,Q,E)end local function R(t)t=tonumber(t or 0)return math.max(t,0)/1024,t<0 and-t/1024%10 or nil end local function Z(t)return string.format('%.0f',-1024*(math.floor((e+b*1000)/10)*10+t))end local function ee()local s=redis.call('ZRANGEBYSCORE',i,-1024*e,-1e18,'LIMIT',0,25)for i=1,#s do table.insert(s,'n'..s[i]:sub(2))end return s end local function ea()return redis.call('ZCOUNT',i,e+1,4e15)end\n";
export const vacate =
  "local function S(o)local t=g(redis.pcall)if t and t.err and t.err:find('OOM',1,true)then redis.call('PEXPIRE',P,en())t=g(redis.pcall)end if t and t.err then if not o or next(f)then return t end redis.call('DEL',P)end end\n";
export const waited =
  "local function L(t)if r>0 then D=math.max(D+math.min((t-D)/8,3*w)+r-e,0)end end\n";
