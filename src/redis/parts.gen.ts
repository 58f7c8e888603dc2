// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const accounts =
  "local function S(b)local a=(b or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function ac(d,c)local a=math.floor(c/1000)*256+math.min(d,256-1)return string.format('%.0f',8e15+a)end local function aj(c)return 4e15+math.floor(c/8)+c%1 end\n";
export const clock =
  "local ao=redis.call('TIME')local a=ao[1]*1000000+ao[2]\n";
export const crowd =
  "local i=KEYS[2]local function N()redis.call('PEXPIRE',i,ah())end\n";
export const crowded =
  "local function b(c,a)return redis.call('ZCOUNT',KEYS[2],c,a)end local l,p=b(a,4e15),b(-4e15,-a)local e=b(-9e15,-4.5e15-a)if l>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]r=math.max(r,c)end\n";
export const elsewhere =
  "local function X(b,k)if g==math.huge then return{'lost',a,'gone'}end J(b,'C',k)return R()or{'closed',a}end\n";
export const ending =
  "local ap={R='released',C='released',E='expired',F='forced'}local function P(b,e,z,a)z=v(b)or z if f>e and(not z or z=='E')then return not z and a or'taken'end return ap[z]or f==e and'released'or'gone'end\n";
export const fair =
  "local w,n=I:match('^%S* %S* %d+ %d+ (%d+) (%d+)')w,n=tonumber(w or 0),tonumber(n or 0)local function B()D()q=q..string.format(' %.0f %.0f',w,n)end\n";
export const fence =
  "local H=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local i,f,c,s=H:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not i then local b,c=H:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end i,f=tonumber(i),tonumber(f)local j=s:sub(c+1)\n";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end\n";
export const latch =
  "local j=h=='latch'and g>a local u,e,c=(j and q or'0 0 0'):match('^(%d+) (%d+) (%d+)$')u,e,c=tonumber(u),tonumber(e),tonumber(c)local function D()h,q='latch',string.format('%.0f %.0f %.0f',u,e,c)end\n";
export const lock =
  "local I=h==l and q~=''and q or'  0 0'local E,Q,x,C=I:match('^(%S*) (%S*) (%d+) (%d+)')x,C=tonumber(x),tonumber(C)local function D()h,q=l,string.format('%s %s %.0f %.0f',E,Q,x,C)end local function S(a)x=math.max(x==0 and a or x+(a-x)/8,0)end\n";
export const members =
  "local function aa(b)local j,B,Q=b:match('^(.+)#(%d+)(.*)$')local k={not j and b or nil}for i=1,math.min(B or 0,1000)do k[i]=j..'#'..i..Q end return k end local function Z(b)return b%1>0 and'F'or'E'end\n";
export const once =
  "local i,u,r,j=0,'','',''if h=='once'and g>a then i,u,r,j=q:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function D()h,q='once',string.format('%.0f %s %s %s',i,u,r,j)end\n";
export const one =
  "local O=KEYS[1]local H=redis.call('GET',O)\n";
export const oust =
  "local function ag()return string.format('%.1f',a-0.5)end local function X()local k=redis.call('ZRANGEBYSCORE',i,a+1,4e15)redis.call('ZREMRANGEBYSCORE',i,-1e16,0)redis.call('ZREMRANGEBYSCORE',i,4.5e15,1e16)for a=1,#k,2000 do local m={}for i=a,math.min(a+2000-1,#k)do table.insert(m,ag())table.insert(m,k[i])end redis.call('ZADD',i,unpack(m))end return#k>0 end\n";
export const permits =
  "local function R(b,c)local f,k,E=redis.call('ZRANGEBYSCORE',i,c,a,'WITHSCORES','LIMIT',0,b),{},{}for i=1,#f,2 do local d,b=f[i],f[i+1]+0 local c,s=d:match('^([tw])(.+)')local u='t'..d:sub(1,36)if b>=-a or b<-1e18 then table.insert(k,d)if c then table.insert(k,(c=='w'and'p'or'n')..s)elseif E[#E]~=u then table.insert(E,ab(Z(b)=='F'and 4 or 5))table.insert(E,u)end end end return k,E end local function ap(d,r)return not d or d>0 and d<r end local function X()return unpack(redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function Q(b,e)local c,d=0,0 for E,b in ipairs(redis.call('ZMSCORE',i,unpack(aa(b))))do b=tonumber(b or 0)if b>a then c,d=b,d+1 end end if d>0 then return{'granted',a,e,c-a,d}end end local function P(b,r,l,d,e,p,E)f=math.max(f+1,a)local c,m=a+d*1000,{ak(f),'t'..b:sub(1,36)}if l=='counter'then c,m[1]=0,ab(1)else for E,d in ipairs(aa(b))do table.insert(m,string.format('%.0f',c))table.insert(m,d)end end g=math.max(g,c,B and a+e*1000 or 0)if h~=l and h~='none'then redis.call('UNLINK',i)p,E={},nil end for E,z in ipairs(E or{})do table.insert(m,z)end redis.call('ZADD',i,unpack(m))if#p>0 then redis.call('ZREM',i,unpack(p))end D(l)N()y()return{'granted',a,f,(c>0 and c or g)-a,r}end\n";
export const queue =
  "local function ag(l)return 4.5e15+l end local function ae(b)return b-4.5e15 end local function ar(k,c)local a={}for E,d in ipairs(k)do local b=d:match('^w(.+)')if b~=c then table.insert(a,d)if b then table.insert(a,'p'..b)end end end if a[1]then redis.call('ZREM',i,unpack(a))end end local function aj(c,e,w,M,u)if e==0 then e,w=10000,10000 end local a=(w+500)*math.sqrt(c+1)local b=math.min(math.max(1750,55*math.sqrt(a),(M-e)/16),200000)local d=math.max(e-M,0)+c*(e+2000)+b-a return math.floor(math.min(math.max(d,b),2000000,c>0 and 2000000 or u+1000))end local function am(a,l,d,...)g=math.max(g,d)return redis.call('ZADD',i,'LT',-d,'w'..a,ag(l),'p'..a,...)end local function al(a)redis.call('ZREM',i,'p'..a,'w'..a)end local function au()return-(redis.call('ZRANGEBYSCORE',i,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function aq()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f',-a))end\n";
export const ran =
  "local b,e=ARGV[2],tonumber(ARGV[3])local g,I,d={},nil,1 while d<=tonumber(c)do local e=d+36+16 local a=e+3 local c=a+s:sub(e,a-1)-1 table.insert(g,s:sub(d,c))if s:sub(d,d+36-1)==b then I=s:sub(a,c)end d=c+1 end if not I then local j=tonumber(ARGV[5])if j>a or(j<=f and f<=a)then return{'forgotten',a,i}end if e<i then return{'stale',a,i}end end local function l(c)return c:sub(36+1,36+16)end local function h(c,i)table.insert(g,string.format('%s%016.0f%03d',b,a,#c)..c)while#g>64 or l(g[1])<string.format('%016.0f',a-60000000)do f=math.max(f,l(table.remove(g,1)))end local d=table.concat(g)local e=string.format('fence 1 %.0f %.0f %d ',i,f,#d)..d..j redis.call('SET',KEYS[1],e,'PX',ARGV[4])end\n";
export const reading =
  "if A(ARGV[1])then return{'kind',a,h}end if g<=a then return{'free',a,f}end local r,d=L()\n";
export const record =
  "H=H or'none 1 0 0   'local h,f,g,F,V,q=H:match('^(%a+) 1 (%d+) (%d+) ()')local Y=F and H:find(' ',F,true)local s=Y and H:find(' ',Y+1,true)if s and(' none lock fair rw once semaphore counter latch '):find(' '..h..' ',1,true)then F,V,q=H:sub(F,Y-1),H:sub(Y+1,s-1),H:sub(s+1)else h=(H:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')f,g,F,V,q=0,math.huge,'','',''end f,g=tonumber(f),tonumber(g)local m,U={}local function J(b,v,k)local c=b:sub(25,36)..v m[b],U=nil,true if k==0 then local b=F:find(';',1,true)or#F+1 F=(F:sub(1,b-1)..c):sub(-64*13)..F:sub(b)else local b,f=string.format(';%.0f:',math.ceil((k or a+t*1000)/1000000))F,f=F:gsub(b,'%0'..c)if f==0 then F=F..b..c end end end for b,c in V:gmatch('([^:,]+):(%d+)')do m[b]=tonumber(c)if m[b]<=a then J(b,'E')end end local function v(b)local d=F:find(b:sub(25,36),1,true)return d and F:match('^%u',d+13-1)end local function A(l)return h~=l and g>a end local function L()local r,d=0,0 for E,c in pairs(m)do r,d=math.max(r,c),d+1 end return r,d end local function af()local k={}for b in pairs(m)do table.insert(k,b)end table.sort(k)return k end local function W(a)for E,b in ipairs(af())do J(b,a)end end local function ah()return math.ceil(math.max(g-a,f-a,0)/1000)+t end local function y(c)local V=''for E,b in ipairs(af())do V=V..string.format('%s:%.0f,',b,m[b])end if F:find(';',1,true)then F=F:gsub(';(%d+)[^;]*',function(k)if k*1000000<a then return''end end)end local d=string.format('%s 1 %.0f %.0f %s %s ',h,f,g,F,V)return(c or redis.call)('SET',O,d..q,'PX',ah(),'GET')end\n";
export const records =
  "local w=redis.call('MGET',unpack(KEYS))\n";
export const requests =
  "local function ak(e)return string.format('%.0f',e*1024)end local function ab(v)local ag=math.floor((a+t*1000)/10)*10 return string.format('%.0f',-(ag+v)*1024)end local function T(b)b=tonumber(b or 0)/1024 if b<0 then return 0,-b%10,-b end return b end local function an(v)return('R CFE'):sub(v,v)end\n";
export const rw =
  "local I=h=='rw'and q~=''and q or'0   0 0 'local n,E,Q,x,B=I:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')n,x,B=tonumber(n),tonumber(x),tonumber(B)local function D()h,q='rw',string.format('%.0f %s %s %.0f %.0f ',n,E,Q,x,B)end local function ae()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function ad(d)return-4.5e15-d end local function am(b)return-4.5e15-b end local function K()local k=redis.call('ZRANGEBYSCORE',i,-9e15,ad(a+1),'WITHSCORES','LIMIT',0,1)return k[2]and am(k[2])or 0 end local function al(b)local k=n>a and redis.call('ZRANGEBYSCORE',i,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}n=math.max(0,-(k[k[1]=='w'..b and 4 or 2]or 0))end\n";
export const semaphore =
  "local I=(h=='semaphore'or h=='counter')and q~=''and q or' 0 0 0 0'local B,x,C,S,n=I:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')B,x,C=g>a and tonumber(B)or nil,tonumber(x),tonumber(C)S,n=tonumber(S),tonumber(n)local function D(l)local b=B and string.format('%.0f',B)or''h,q=l,string.format('%s %.0f %.0f %.0f %.0f',b,x,C,S,n)end local function at(d)return string.format('%.0f',d*1152921504606846976)end local function as(b)return(b or 0)/1152921504606846976 end local function ac()return-1024*a end local function ad()local k=redis.call('ZRANGEBYSCORE',i,ac(),-1e18,'LIMIT',0,25)for i=1,#k do table.insert(k,'n'..k[i]:sub(2))end return k end local function ai()return redis.call('ZCOUNT',i,a+1,4e15)end\n";
export const vacate =
  "local function R(e)local b=y(redis.pcall)if b and b.err and b.err:find('OOM',1,true)then redis.call('PEXPIRE',O,ah())b=y(redis.pcall)end if b and b.err then if not e or next(m)then return b end redis.call('DEL',O)end end\n";
export const waited =
  "local function B(b)if g>0 then C=math.max(C+math.min((b-C)/8,3*x)+g-a,0)end end\n";
