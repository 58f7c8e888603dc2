// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const accounts =
  "local function ab(h)local a=(h or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function aa(d,c)local a=math.floor(c/1000)*256+math.min(d,256-1)return string.format('%.0f',8e15+a)end local function ai(c)return 4e15+math.floor(c/8)+c%1 end\n";
export const clock =
  "local aD=redis.call('TIME')local a=aD[1]*1000000+aD[2]\n";
export const close_all =
  "local function k(a)for K,b in ipairs(as())do Q(b,a)end end\n";
export const count_crowd =
  "local function e(b,a)return redis.call('ZCOUNT',KEYS[2],b,a)end local m,c=e(a,4e15),e(-4e15,-a)local b=e(-9e15,-4.5e15-a)if m>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]n=math.max(n,c)end\n";
export const crowd =
  "local e=KEYS[2]\n";
export const described =
  "local function z()local e,k,p=w:match('^fence 1 (%d+) %d+ (%d+) (.*)$')if e and tonumber(e)<9e15 and#p>=tonumber(k)then return'fence',tonumber(e)end if g==math.huge then return'kind',i end if g>9e15 or h>9e15 then return'kind',i..'/1'end if g<=a then return'free',h end local n,d=R()local o for K,a in ipairs(F[i])do o=o or B:find(a)~=nil end if n>9e15 or not o then return'kind',i..'/1'end local m,c,b=0,0,0 if r[i]then m,c=redis.call('ZCOUNT',q,a,4e15),redis.call('ZCOUNT',q,-4e15,-a)end if i=='rw'then b=redis.call('ZCOUNT',q,-9e15,-4.5e15-a)end if m>0 then local c=redis.call('ZREVRANGEBYSCORE',q,4e15,a,'WITHSCORES','LIMIT',0,1)[2]n=math.max(n,c)end local t=B if i=='once'then local j,r,p=B:match('^(%d+) %S* (%S*) (.*)$')t=j..(r~=''and' done'or'  '..p)end return'live',i,h,g-a,d,math.max(n-a,0),'='..t,m,c,b end\n";
export const elsewhere =
  "local function Y(b,x)if g==math.huge then return{'lost',a,'gone'}end Q(b,'C',x)return X()or{'closed',a}end\n";
export const ended =
  "local function H()if S then s(redis.pcall)end return{'closed',a}end\n";
export const ending =
  "local function aw(y)return({R='released',C='released',E='expired',F='forced',P='spent'})[y]end local function T(b,f,I,a)I=y(b)or I if h>f and(not I or I=='E')then return not I and a or'taken'end return aw(I)or h==f and'released'or'gone'end\n";
export const failed =
  "local function A(c)return type(c)=='table'and c.err and c or nil end\n";
export const fair =
  "local z,o=O:match('^%S* %S* %d+ %d+ (%d+) (%d+)')z,o=tonumber(z or 0),tonumber(o or 0)local function I()F()B=B..string.format(' %.0f %.0f',z,o)end\n";
export const fence =
  "local w=redis.call('GET',KEYS[1])\n";
export const fenced =
  "local j=w or'fence 1 0 0 0 'local e,g,k,p=j:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not e then local b,c=j:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end e,g=tonumber(e),tonumber(g)local h=p:sub(k+1)\n";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end\n";
export const keep =
  "local function V(c)return(c or redis.call)('PEXPIRE',e,ad())end\n";
export const last_end =
  "local function ak()return tonumber(redis.call('ZREVRANGEBYSCORE',e,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end\n";
export const last_end_besides =
  "local function ar(b)local c={}for K,b in ipairs(b)do c[b]=true end local n=redis.call('ZREVRANGEBYSCORE',e,4e15,a+1,'WITHSCORES','LIMIT',0,#b+1)for j=1,#n,2 do if not c[n[j]]then return tonumber(n[j+1])end end return 0 end\n";
export const latch =
  "local f=i=='latch'and g>a local x,c,d=(f and B or'0 0 0'):match('^(%d+) (%d+) (%d+)$')x,c,d=tonumber(x),tonumber(c),tonumber(d)local function F()i,B='latch',string.format('%.0f %.0f %.0f',x,c,d)end\n";
export const listen =
  "local function ap(b)return b:sub(25,36)end local function W(b)local d=G~=''and G:find(ap(b),1,true)if d then G=G:sub(1,d-1)..G:sub(d+23)end end local function aG()local p={}for d=1,#G,23 do local e=G:sub(d,d+23-1)if e:sub(12+2)*1000000>a then table.insert(p,e)end end G=table.concat(p)end local function ae(b,e,c)if tonumber(e)==0 then return 0 end local d=G:find(ap(b),1,true)if d then local b=d+12 if G:sub(b,b)==c then return 1 end G=G:sub(1,b-1)..c..G:sub(b+1)return 1,true,d+23 end if#G==64*23 then aG()end if#G==64*23 then return 0 end if G==''and type(redis.pcall('PUBLISH',L,''))=='table'then return 0 end G=G..string.format('%s%s%010.0f',ap(b),c,math.ceil((a+e*1000)/1000000))return 1,true end\n";
export const lock =
  "local O=i==m and B~=''and B or'  0 0'local M,U,C,J=O:match('^(%S*) (%S*) (%d+) (%d+)')C,J=tonumber(C),tonumber(J)local function F()i,B=m,string.format('%s %s %.0f %.0f',M,U,C,J)end\n";
export const members =
  "local function ag(b)local k,H,U=b:match('^(.+)#(%d+)(.*)$')local n={not k and b or nil}for j=1,math.min(H or 0,1000)do n[j]=k..'#'..j..U end return n end local function aj(h)return h%1>0 and'F'or'E'end\n";
export const once =
  "local j,I,r,o=0,'','',''if i=='once'and g>a then j,I,r,o=B:match('^(%d+) (%S*) (%S*) (.*)$')j=tonumber(j)end local function F()i,B='once',string.format('%.0f %s %s %s',j,I,r,o)end\n";
export const oust =
  "local function t()return string.format('%.1f',a-0.5)end local function q()local n=redis.call('ZRANGEBYSCORE',e,a+1,4e15)local k=#n==0 and redis.call('ZCARD',e)if redis.call('ZREMRANGEBYSCORE',e,-1e16,0)~=k then redis.call('ZREMRANGEBYSCORE',e,4.5e15,1e16)end for b=1,#n,2000 do local u={}for j=b,math.min(b+2000-1,#n)do table.insert(u,t())table.insert(u,n[j])end redis.call('ZADD',e,unpack(u))end return#n>0 end\n";
export const permits =
  "local function au(c,b)local g,n,K=redis.call('ZRANGEBYSCORE',e,b,a,'WITHSCORES','LIMIT',0,c),{},{}for j=1,#g,2 do local b,h=g[j],g[j+1]+0 local c,p=b:match('^([tw])(.+)')local I='t'..b:sub(1,36)if h>=-a or h<-1e18 then table.insert(n,b)if c then table.insert(n,(c=='w'and'p'or'n')..p)elseif K[#K]~=I then table.insert(K,al(aj(h)=='F'and 4 or 5))table.insert(K,I)end end end return n,K end local function aE(d,n)return not d or d>0 and d<n end local function aB()return unpack(redis.call('ZRANGEBYSCORE',e,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function aC(b)return b:match('@(.*)$')or''end local function U(b,f)local c,d=0,0 for K,h in ipairs(redis.call('ZMSCORE',e,unpack(ag(b))))do h=tonumber(h or 0)if h>a then c,d=h,d+1 end end if d>0 then return{'granted',a,f,c-a,d}end end local function ai(b,n,m,d,ar,t,K)h=math.max(h+1,a)W(b)local c,u=a+d*1000,{az(h),'t'..b:sub(1,36)}if m=='counter'then c,u[1]=0,al(1)else for K,b in ipairs(ag(b))do table.insert(u,string.format('%.0f',c))table.insert(u,b)end end g=math.max(g,c,H and a+ar*1000 or 0)if i~=m and i~='none'then redis.call('UNLINK',e)t,K={},nil end for K,M in ipairs(K or{})do table.insert(u,M)end redis.call('ZADD',e,unpack(u))F(m)local j=A(V(redis.pcall))or A(s(redis.pcall))if j then redis.call('ZREM',e,'t'..b:sub(1,36),unpack(ag(b)))return j end if#t>0 then redis.pcall('ZREM',e,unpack(t))end return{'granted',a,h,(c>0 and c or g)-a,n}end\n";
export const queue =
  "local function ar(m)return 4.5e15+m end local function aa(h)return h-4.5e15 end local function X(n,a)local t={}for K,b in ipairs(n)do local c=b:match('^w(.+)')if c~=a then table.insert(t,b)if c then table.insert(t,'p'..c)end end end return t end local function aw(f,e,z,P,x)if e==0 then e,z=10000,10000 end local c=(z+500)*math.sqrt(f+1)local a=math.min(25000+P/4,75000+P/12,1000000)local b=math.min(math.max(1750,55*math.sqrt(c),(P-e)/8),a)local d=math.max(e-P,0)+f*(e+2000)+b-c local n=2000000 if f==0 then n=math.min(a,x+1000)elseif z*4>e then n=math.min(a+f*a/8,2000000)end return math.floor(math.min(math.max(d,b),n))end local function aA(r,m,h,...)g=math.max(g,h)return redis.call('ZADD',e,'LT',-h,'w'..r,ar(m),'p'..r,...)end local function aI(r)redis.call('ZREM',e,'p'..r,'w'..r)end local function aJ(b)local n=redis.call('ZRANGEBYSCORE',e,-4e15,-a,'LIMIT',0,2,'WITHSCORES')local c=n[n[1]=='w'..b and 4 or 2]return c and-c or 0 end local function aF()return redis.call('ZCOUNT',e,-4e15,string.format('(%.0f',-a))end\n";
export const ran =
  "local b,f=ARGV[2],tonumber(ARGV[3])local i,O,d={},nil,1 while d<=tonumber(k)do local e=d+36+16 local a=e+3 local c=a+p:sub(e,a-1)-1 table.insert(i,p:sub(d,c))if p:sub(d,d+36-1)==b then O=p:sub(a,c)end d=c+1 end if not O then local j=tonumber(ARGV[5])if j>a or(j<=g and g<=a)then return{'forgotten',a,e}end if f<e then return{'stale',a,e}end end local function n(c)return c:sub(36+1,36+16)end local function m(c,f)table.insert(i,string.format('%s%016.0f%03d',b,a,#c)..c)while#i>64 or n(i[1])<string.format('%016.0f',a-60000000)do g=math.max(g,n(table.remove(i,1)))end local d=table.concat(i)local e=string.format('fence 1 %.0f %.0f %d ',f,g,#d)..d..h redis.call('SET',KEYS[1],e,'PX',ARGV[4])end\n";
export const read_name =
  "local L=KEYS[1]local w=redis.call('GET',L)\n";
export const read_names =
  "local P=redis.call('MGET',unpack(KEYS))\n";
export const reading =
  "if D(ARGV[1])then return{'kind',a,i}end if g<=a then return{'free',a,h}end local n,d=R()\n";
export const record =
  "local aH=not w w=w or'none 1 0 0   'local i,h,g,N,u,B=w:match('^(%a+) 1 (%d+) (%d+) ()')local af=N and w:find(' ',N,true)local p=af and w:find(' ',af+1,true)if p and(' none lock fair rw once semaphore counter latch '):find(' '..i..' ',1,true)then N,u,B=w:sub(N,af-1),w:sub(af+1,p-1),w:sub(p+1)else i=(w:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')h,g,N,u,B=0,math.huge,'','',''end h,g=tonumber(h),tonumber(g)local G=u:match('|(.*)')or''local l,S={}local function Q(b,y,x)local e=b:sub(25,36)..y l[b],S=nil,true if x==0 then local c=(N:find(';',1,true)or#N+1)-1 local a=math.max(c-(64-1)*13,0)+1 N=N:sub(a,c)..e..N:sub(c+1)else local b,g=string.format(';%.0f:',math.ceil((x or a+v*1000)/1000000))N,g=N:gsub(b,'%0'..e)if g==0 then N=N..b..e end end end for b,c in u:gmatch('([^:,]+):(%d+)')do l[b]=tonumber(c)if l[b]<=a then Q(b,'E')end end local function y(b)local d=N:find(b:sub(25,36),1,true)return d and N:match('^%u',d+13-1)end local function D(m)return i~=m and g>a end local function R()local n,d=0,0 for K,c in pairs(l)do n,d=math.max(n,c),d+1 end return n,d end local function as()local n={}for b in pairs(l)do table.insert(n,b)end table.sort(n)return n end local function ad()return math.ceil(math.max(g-a,h-a,0)/1000)+v end local function s(c)local u=''for K,b in ipairs(as())do u=u..string.format('%s:%.0f,',b,l[b])end if N:find(';',1,true)then N=N:gsub(';(%d+)[^;]*',function(x)if x*1000000<a then return''end end)end if G~=''then u=u..'|'..G end local d=string.format('%s 1 %.0f %.0f ',i,h,g)..N..' '..u..' '..B c=c or redis.call if aH then return c('SET',L,d,'PX',ad(),'GET')end return c('SET',L,d,'PX',ad())end\n";
export const requests =
  "local function az(f)return string.format('%.0f',f*1024)end local function al(y)local j=math.floor((a+v*1000)/10)*10 return string.format('%.0f',-(j+y)*1024)end local function ac(h)h=tonumber(h or 0)/1024 if h<0 then return 0,-h%10,-h end return h end local function at(y)return('R CFEP'):sub(y,y)end\n";
export const rw =
  "local O=i=='rw'and B~=''and B or'0   0 0 'local o,M,U,C,J=O:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')o,C,J=tonumber(o),tonumber(C),tonumber(J)local function F()i,B='rw',string.format('%.0f %s %s %.0f %.0f ',o,M,U,C,J)end local function ac(h)return-4.5e15-h end local function an(h)return-4.5e15-h end local function I(b)local n=redis.call('ZRANGEBYSCORE',e,-9e15,ac(a+1),'WITHSCORES','LIMIT',0,2)local h=n[n[1]=='r'..(b or'')and 4 or 2]return h and an(h)or 0 end local function al(r)local n=o>a and redis.call('ZRANGEBYSCORE',e,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}o=math.max(0,-(n[n[1]=='w'..r and 4 or 2]or 0))end\n";
export const rw_expired =
  "local T,K,z,t={},{},{},{[q]=0}local function ah(m,h)local d,n=ab(h)local x=math.max(d-t[m],0)table.insert(K,aa(x,n))table.insert(K,'o'..m)if x==0 then table.insert(T,'o'..m)end end local function ag()local P,d={b,'r'..r,'o'..q,'w'..r},{}local g=redis.call('ZRANGEBYSCORE',e,-a,a,'WITHSCORES','LIMIT',0,50)for j=1,#g,2 do local b,c=g[j],g[j+1]+0 local m=b:match('^%x')and b:match('^[^@]*',36+1)if m and not t[m]then t[m]=0 table.insert(P,'o'..m)table.insert(d,m)end if m then t[m]=t[m]+1 end if m and b:find('@',36+1,true)then table.insert(T,'t'..b:sub(1,36))end if m then table.insert(K,string.format('%.1f',ai(c)))table.insert(K,b)end local e=m and c>a-v*1000 if not e and b~='w'..r then table.insert(T,b)end end z=redis.call('ZMSCORE',e,unpack(P))for j,m in ipairs(d)do ah(m,z[j+4])end end local function aj(b,u)if f then redis.call('UNLINK',e)T,K={},{}end local c={b}for K,M in ipairs(K)do table.insert(c,M)end for K,M in ipairs(u)do table.insert(c,M)end redis.call('ZADD',e,unpack(c))F()local j=A(V(redis.pcall))or A(s(redis.pcall))if j then return j end if#T>0 then redis.pcall('ZREM',e,unpack(T))elseif not f then redis.pcall('ZREMRANGEBYSCORE',e,4e15,ai(a-v*1000))end end\n";
export const semaphore =
  "local O=(i=='semaphore'or i=='counter')and B~=''and B or' 0 0 0 0'local H,C,J,ab,o=O:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')H,C,J=g>a and tonumber(H)or nil,tonumber(C),tonumber(J)ab,o=tonumber(ab),tonumber(o)local function F(m)local c=H and string.format('%.0f',H)or''i,B=m,string.format('%s %.0f %.0f %.0f %.0f',c,C,J,ab,o)end local function ay(d)return string.format('%.0f',d*1152921504606846976)end local function ax(h)return(h or 0)/1152921504606846976 end local function aq()return-1024*a end local function ao()local n=redis.call('ZRANGEBYSCORE',e,aq(),-1e18,'LIMIT',0,25)for j=1,#n do table.insert(n,'n'..n[j]:sub(2))end return n end local function av()local d=redis.call('ZCOUNT',e,a+1,4e15)if d>0 and i=='none'then g=ak()end return d end\n";
export const shapes =
  "local r={fair=true,rw=true,semaphore=true,counter=true,latch=true}local F={none={'^$'},lock={'^$','^%S* %S* %d+ %d+$'},fair={'^$','^%S* %S* %d+ %d+$','^%S* %S* %d+ %d+ %d+ %-?%d+$'},rw={'^$','^%d+ %S* %S* %d+ %d+ $'},once={'^%d+ %S* %S* '},semaphore={'^$','^%-?%d* %d+ %d+ %d+ %d+$'},counter={'^$','^%-?%d* %d+ %d+ %d+ %d+$'},latch={'^%d+ %d+ %d+$'}}\n";
export const superseded =
  "local function d(b,c)local a=y(b)return a and aw(a)or tonumber(c)>0 and h>tonumber(c)and'taken'end\n";
export const usual_tenure =
  "local function k(a)C=math.max(C==0 and a or C+(a-C)/8,0)end\n";
export const vacate =
  "local function X(c)local a=s(redis.pcall)if a and a.err and a.err:find('OOM',1,true)then redis.call('PEXPIRE',L,ad())a=s(redis.pcall)end if a and a.err then if not c or next(l)then return a end redis.call('DEL',L)end end\n";
export const waited =
  "local function z(b)if g>0 then J=math.max(J+math.min((b-J)/8,3*C)+g-a,0)end end\n";
export const wake =
  "local function am(a)redis.pcall('PUBLISH',L,a)end local function Z(d,b)local e,p=G:sub(1,(b or 1)-1),G:sub(b or 1)while p~=''and d>0 do local b,c,j=p:sub(1,12),p:sub(12+1,12+1),p:sub(12+2,23)p=p:sub(23+1)if c=='r'then e=e..b..c..j elseif c=='w'and j*1000000>a then e,d=e..b..'W'..j,d-1 am(b)end end G=e..p end local function ah()if G~=''then am('*')end G=''end\n";
export const wake_head =
  "local function an(a)local c=G~=''and redis.pcall('ZRANGEBYSCORE',e,4.5e15,8e15,'LIMIT',a,1)[1]local b=c and ap(c:sub(2))if b and G:find(b,1,true)then am(b)end end\n";
export const wake_side =
  "local function H(i,b)if G==''then return end local c=i<=a if c and I(b)==0 then Z(1)if o<=a then am('read')end elseif c or o<=a then am('read')end end\n";
