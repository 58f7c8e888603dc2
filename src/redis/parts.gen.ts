// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const accounts =
  "local function ab(f)local a=(f or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function af(d,c)local a=math.floor(c/1000)*256+math.min(d,256-1)return string.format('%.0f',8e15+a)end local function ap(c)return 4e15+math.floor(c/8)+c%1 end\n";
export const clock =
  "local as=redis.call('TIME')local a=as[1]*1000000+as[2]\n";
export const count_crowd =
  "local function g(b,a)return redis.call('ZCOUNT',KEYS[2],b,a)end local j,b=g(a,4e15),g(-4e15,-a)local c=g(-9e15,-4.5e15-a)if j>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]n=math.max(n,c)end\n";
export const crowd =
  "local i=KEYS[2]local function N()redis.call('PEXPIRE',i,X())end\n";
export const described =
  "local function x()local i,m,r=B:match('^fence 1 (%d+) %d+ (%d+) (.*)$')if i and tonumber(i)<9e15 and#r>=tonumber(m)then return'fence',tonumber(i)end if e==math.huge then return'kind',h end if e>9e15 or f>9e15 then return'kind',h..'/1'end if e<=a then return'free',f end local n,d=L()local k for C,a in ipairs(F[h])do k=k or t:find(a)~=nil end if n>9e15 or not k then return'kind',h..'/1'end local j,b,c=0,0,0 if w[h]then j,b=redis.call('ZCOUNT',o,a,4e15),redis.call('ZCOUNT',o,-4e15,-a)end if h=='rw'then c=redis.call('ZCOUNT',o,-9e15,-4.5e15-a)end if j>0 then local c=redis.call('ZREVRANGEBYSCORE',o,4e15,a,'WITHSCORES','LIMIT',0,1)[2]n=math.max(n,c)end local p=t if h=='once'then local i,o,r=t:match('^(%d+) %S* (%S*) (.*)$')p=i..(o~=''and' done'or'  '..r)end return'live',h,f,e-a,d,math.max(n-a,0),'='..p,j,b,c end\n";
export const elsewhere =
  "local function W(b,z)if e==math.huge then return{'lost',a,'gone'}end I(b,'C',z)return R()or{'closed',a}end\n";
export const ended =
  "local function M()if O then v(redis.pcall)end return{'closed',a}end\n";
export const ending =
  "local am={R='released',C='released',E='expired',F='forced'}local function P(b,g,E,a)E=u(b)or E if f>g and(not E or E=='E')then return not E and a or'taken'end return am[E]or f==g and'released'or'gone'end\n";
export const fair =
  "local w,m=H:match('^%S* %S* %d+ %d+ (%d+) (%d+)')w,m=tonumber(w or 0),tonumber(m or 0)local function S()F()t=t..string.format(' %.0f %.0f',w,m)end\n";
export const fence =
  "local B=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local i,d,m,r=B:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not i then local b,c=B:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end i,d=tonumber(i),tonumber(d)local f=r:sub(m+1)\n";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end\n";
export const last_end =
  "local function V()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end\n";
export const latch =
  "local g=h=='latch'and e>a local z,c,d=(g and t or'0 0 0'):match('^(%d+) (%d+) (%d+)$')z,c,d=tonumber(z),tonumber(c),tonumber(d)local function F()h,t='latch',string.format('%.0f %.0f %.0f',z,c,d)end\n";
export const lock =
  "local H=h==k and t~=''and t or'  0 0'local D,Q,x,A=H:match('^(%S*) (%S*) (%d+) (%d+)')x,A=tonumber(x),tonumber(A)local function F()h,t=k,string.format('%s %s %.0f %.0f',D,Q,x,A)end local function T(a)x=math.max(x==0 and a or x+(a-x)/8,0)end\n";
export const members =
  "local function ad(b)local j,D,Q=b:match('^(.+)#(%d+)(.*)$')local n={not j and b or nil}for i=1,math.min(D or 0,1000)do n[i]=j..'#'..i..Q end return n end local function aa(f)return f%1>0 and'F'or'E'end\n";
export const once =
  "local i,A,o,j=0,'','',''if h=='once'and e>a then i,A,o,j=t:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function F()h,t='once',string.format('%.0f %s %s %s',i,A,o,j)end\n";
export const oust =
  "local function al()return string.format('%.1f',a-0.5)end local function A()local n=redis.call('ZRANGEBYSCORE',i,a+1,4e15)redis.call('ZREMRANGEBYSCORE',i,-1e16,0)redis.call('ZREMRANGEBYSCORE',i,4.5e15,1e16)for a=1,#n,2000 do local l={}for i=a,math.min(a+2000-1,#n)do table.insert(l,al())table.insert(l,n[i])end redis.call('ZADD',i,unpack(l))end return#n>0 end\n";
export const permits =
  "local function aj(c,b)local d,n,M=redis.call('ZRANGEBYSCORE',i,b,a,'WITHSCORES','LIMIT',0,c),{},{}for i=1,#d,2 do local b,f=d[i],d[i+1]+0 local c,r=b:match('^([tw])(.+)')local A='t'..b:sub(1,36)if f>=-a or f<-1e18 then table.insert(n,b)if c then table.insert(n,(c=='w'and'p'or'n')..r)elseif M[#M]~=A then table.insert(M,ae(aa(f)=='F'and 4 or 5))table.insert(M,A)end end end return n,M end local function at(d,E)return not d or d>0 and d<E end local function am()return unpack(redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function aq(b)return b:match('@(.*)$')or''end local function Q(b,g)local c,d=0,0 for C,f in ipairs(redis.call('ZMSCORE',i,unpack(ad(b))))do f=tonumber(f or 0)if f>a then c,d=f,d+1 end end if d>0 then return{'granted',a,g,c-a,d}end end local function W(b,E,k,d,g,q,M)f=math.max(f+1,a)local c,l=a+d*1000,{an(f),'t'..b:sub(1,36)}if k=='counter'then c,l[1]=0,ae(1)else for C,b in ipairs(ad(b))do table.insert(l,string.format('%.0f',c))table.insert(l,b)end end e=math.max(e,c,D and a+g*1000 or 0)if h~=k and h~='none'then redis.call('UNLINK',i)q,M={},nil end for C,n in ipairs(M or{})do table.insert(l,n)end redis.call('ZADD',i,unpack(l))if#q>0 then redis.call('ZREM',i,unpack(q))end F(k)N()v()return{'granted',a,f,(c>0 and c or e)-a,E}end\n";
export const queue =
  "local function ai(k)return 4.5e15+k end local function ab(f)return f-4.5e15 end local function av(n,d)local a={}for C,b in ipairs(n)do local c=b:match('^w(.+)')if c~=d then table.insert(a,b)if c then table.insert(a,'p'..c)end end end if a[1]then redis.call('ZREM',i,unpack(a))end end local function al(b,g,w,R,z)if g==0 then g,w=10000,10000 end local a=(w+500)*math.sqrt(b+1)local c=math.min(math.max(1750,55*math.sqrt(a),(R-g)/16),200000)local d=math.max(g-R,0)+b*(g+2000)+c-a return math.floor(math.min(math.max(d,c),2000000,b>0 and 2000000 or z+1000))end local function ap(o,k,d,...)e=math.max(e,d)return redis.call('ZADD',i,'LT',-d,'w'..o,ai(k),'p'..o,...)end local function ao(o)redis.call('ZREM',i,'p'..o,'w'..o)end local function ay()local b=redis.call('ZRANGEBYSCORE',i,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]return b and-b or 0 end local function au()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f',-a))end\n";
export const ran =
  "local b,g=ARGV[2],tonumber(ARGV[3])local h,H,e={},nil,1 while e<=tonumber(m)do local d=e+36+16 local a=d+3 local c=a+r:sub(d,a-1)-1 table.insert(h,r:sub(e,c))if r:sub(e,e+36-1)==b then H=r:sub(a,c)end e=c+1 end if not H then local j=tonumber(ARGV[5])if j>a or(j<=d and d<=a)then return{'forgotten',a,i}end if g<i then return{'stale',a,i}end end local function l(c)return c:sub(36+1,36+16)end local function k(c,i)table.insert(h,string.format('%s%016.0f%03d',b,a,#c)..c)while#h>64 or l(h[1])<string.format('%016.0f',a-60000000)do d=math.max(d,l(table.remove(h,1)))end local e=table.concat(h)local g=string.format('fence 1 %.0f %.0f %d ',i,d,#e)..e..f redis.call('SET',KEYS[1],g,'PX',ARGV[4])end\n";
export const read_name =
  "local K=KEYS[1]local B=redis.call('GET',K)\n";
export const read_names =
  "local C=redis.call('MGET',unpack(KEYS))\n";
export const reading =
  "if y(ARGV[1])then return{'kind',a,h}end if e<=a then return{'free',a,f}end local n,d=L()\n";
export const record =
  "B=B or'none 1 0 0   'local h,f,e,G,Z,t=B:match('^(%a+) 1 (%d+) (%d+) ()')local ac=G and B:find(' ',G,true)local r=ac and B:find(' ',ac+1,true)if r and(' none lock fair rw once semaphore counter latch '):find(' '..h..' ',1,true)then G,Z,t=B:sub(G,ac-1),B:sub(ac+1,r-1),B:sub(r+1)else h=(B:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')f,e,G,Z,t=0,math.huge,'','',''end f,e=tonumber(f),tonumber(e)local l,O={}local function I(b,u,z)local c=b:sub(25,36)..u l[b],O=nil,true if z==0 then local P=G:find(';',1,true)or#G+1 G=(G:sub(1,P-1)..c):sub(-64*13)..G:sub(P)else local b,d=string.format(';%.0f:',math.ceil((z or a+s*1000)/1000000))G,d=G:gsub(b,'%0'..c)if d==0 then G=G..b..c end end end for b,c in Z:gmatch('([^:,]+):(%d+)')do l[b]=tonumber(c)if l[b]<=a then I(b,'E')end end local function u(b)local e=G:find(b:sub(25,36),1,true)return e and G:match('^%u',e+13-1)end local function y(k)return h~=k and e>a end local function L()local n,d=0,0 for C,c in pairs(l)do n,d=math.max(n,c),d+1 end return n,d end local function ah()local n={}for b in pairs(l)do table.insert(n,b)end table.sort(n)return n end local function Y(a)for C,b in ipairs(ah())do I(b,a)end end local function X()return math.ceil(math.max(e-a,f-a,0)/1000)+s end local function v(c)local Z=''for C,b in ipairs(ah())do Z=Z..string.format('%s:%.0f,',b,l[b])end if G:find(';',1,true)then G=G:gsub(';(%d+)[^;]*',function(z)if z*1000000<a then return''end end)end local d=string.format('%s 1 %.0f %.0f %s %s ',h,f,e,G,Z)return(c or redis.call)('SET',K,d..t,'PX',X(),'GET')end\n";
export const requests =
  "local function an(g)return string.format('%.0f',g*1024)end local function ae(u)local ai=math.floor((a+s*1000)/10)*10 return string.format('%.0f',-(ai+u)*1024)end local function U(f)f=tonumber(f or 0)/1024 if f<0 then return 0,-f%10,-f end return f end local function ar(u)return('R CFE'):sub(u,u)end\n";
export const rw =
  "local H=h=='rw'and t~=''and t or'0   0 0 'local m,D,Q,x,C=H:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')m,x,C=tonumber(m),tonumber(x),tonumber(C)local function F()h,t='rw',string.format('%.0f %s %s %.0f %.0f ',m,D,Q,x,C)end local function ag(d)return-4.5e15-d end local function au(f)return-4.5e15-f end local function S()local n=redis.call('ZRANGEBYSCORE',i,-9e15,ag(a+1),'WITHSCORES','LIMIT',0,1)return n[2]and au(n[2])or 0 end local function at(o)local n=m>a and redis.call('ZRANGEBYSCORE',i,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}m=math.max(0,-(n[n[1]=='w'..o and 4 or 2]or 0))end\n";
export const rw_expired =
  "local E,g,w,q={},{},{},{[p]=0}local function aj(k,f)local d,n=ab(f)if d>q[k]then table.insert(g,af(d-q[k],n))table.insert(g,'o'..k)else table.insert(E,'o'..k)end end local function ai()local J,e={b,'r'..o,'o'..p,'w'..o},{}local d=redis.call('ZRANGEBYSCORE',i,-a,a,'WITHSCORES','LIMIT',0,50)for i=1,#d,2 do local b,c=d[i],d[i+1]+0 local k=b:match('^%x')and b:match('^[^@]*',36+1)if k and not q[k]then q[k]=0 table.insert(J,'o'..k)table.insert(e,k)end if k then q[k]=q[k]+1 end if k and b:find('@',36+1,true)then table.insert(E,'t'..b:sub(1,36))end if k and c>a-s*1000 then table.insert(g,string.format('%.1f',ap(c)))table.insert(g,b)elseif b~='w'..o then table.insert(E,b)end end w=redis.call('ZMSCORE',i,unpack(J))for i,k in ipairs(e)do aj(k,w[i+4])end end local function ao(c,l)if ad then redis.call('UNLINK',i)E,g={},{}end local b={c}for C,n in ipairs(g)do table.insert(b,n)end for C,n in ipairs(l)do table.insert(b,n)end redis.call('ZADD',i,unpack(b))if#E>0 then redis.call('ZREM',i,unpack(E))elseif not ad then redis.call('ZREMRANGEBYSCORE',i,4e15,ap(a-s*1000))end F()N()v()end\n";
export const semaphore =
  "local H=(h=='semaphore'or h=='counter')and t~=''and t or' 0 0 0 0'local D,x,A,T,m=H:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')D,x,A=e>a and tonumber(D)or nil,tonumber(x),tonumber(A)T,m=tonumber(T),tonumber(m)local function F(k)local b=D and string.format('%.0f',D)or''h,t=k,string.format('%s %.0f %.0f %.0f %.0f',b,x,A,T,m)end local function ax(d)return string.format('%.0f',d*1152921504606846976)end local function aw(f)return(f or 0)/1152921504606846976 end local function af()return-1024*a end local function ag()local n=redis.call('ZRANGEBYSCORE',i,af(),-1e18,'LIMIT',0,25)for i=1,#n do table.insert(n,'n'..n[i]:sub(2))end return n end local function ak()local d=redis.call('ZCOUNT',i,a+1,4e15)if d>0 and h=='none'then e=V()end return d end\n";
export const shapes =
  "local w={fair=true,rw=true,semaphore=true,counter=true,latch=true}local F={none={'^$'},lock={'^$','^%S* %S* %d+ %d+$'},fair={'^$','^%S* %S* %d+ %d+$','^%S* %S* %d+ %d+ %d+ %-?%d+$'},rw={'^$','^%d+ %S* %S* %d+ %d+ $'},once={'^%d+ %S* %S* '},semaphore={'^$','^%d* %d+ %d+ %d+ %d+$'},counter={'^$','^%d* %d+ %d+ %d+ %d+$'},latch={'^%d+ %d+ %d+$'}}\n";
export const superseded =
  "local function aq(b,c)local a=u(b)return a and am[a]or tonumber(c)>0 and f>tonumber(c)and'taken'end\n";
export const vacate =
  "local function R(g)local f=v(redis.pcall)if f and f.err and f.err:find('OOM',1,true)then redis.call('PEXPIRE',K,X())f=v(redis.pcall)end if f and f.err then if not g or next(l)then return f end redis.call('DEL',K)end end\n";
export const waited =
  "local function P(b)if e>0 then A=math.max(A+math.min((b-A)/8,3*x)+e-a,0)end end\n";
