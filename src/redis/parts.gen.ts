// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const accounts =
  "local function ai(g)local a=(g or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function aa(e,c)local a=math.floor(c/1000)*256+math.min(e,256-1)return string.format('%.0f',8e15+a)end local function aj(c)return 4e15+math.floor(c/8)+c%1 end\n";
export const clock =
  "local aF=redis.call('TIME')local a=aF[1]*1000000+aF[2]\n";
export const close_all =
  "local function n(a)for C,b in ipairs(au())do S(b,a)end end\n";
export const count_crowd =
  "local function d(b,a)return redis.call('ZCOUNT',KEYS[2],b,a)end local k,c=d(a,4e15),d(-4e15,-a)local b=d(-9e15,-4.5e15-a)if k>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]n=math.max(n,c)end\n";
export const crowd =
  "local d=KEYS[2]\n";
export const described =
  "local function z()local p,t,o=y:match('^fence 1 (%d+) %d+ (%d+) (.*)$')if p and tonumber(p)<9e15 and#o>=tonumber(t)then return'fence',tonumber(p)end if h==math.huge then return'kind',j end if h>9e15 or g>9e15 then return'kind',j..'/1'end if h<=a then return'free',g end local n,e=R()local m for C,a in ipairs(F[j])do m=m or D:find(a)~=nil end if n>9e15 or not m then return'kind',j..'/1'end local k,c,b=0,0,0 if r[j]then k,c=redis.call('ZCOUNT',q,a,4e15),redis.call('ZCOUNT',q,-4e15,-a)end if j=='rw'then b=redis.call('ZCOUNT',q,-9e15,-4.5e15-a)end if k>0 then local c=redis.call('ZREVRANGEBYSCORE',q,4e15,a,'WITHSCORES','LIMIT',0,1)[2]n=math.max(n,c)end local u=D if j=='once'then local i,r,o=D:match('^(%d+) %S* (%S*) (.*)$')u=i..(r~=''and' done'or'  '..o)end return'live',j,g,h-a,e,math.max(n-a,0),'='..u,k,c,b end\n";
export const elsewhere =
  "local function Y(b,A)if h==math.huge then return{'lost',a,'gone'}end S(b,'C',A)return Z()or{'closed',a}end\n";
export const ended =
  "local function G()if T then s(redis.pcall)end return{'closed',a}end\n";
export const ending =
  "local function aD(x)return({R='released',C='released',E='expired',F='forced',P='spent'})[x]end local function U(b,f,q,a)q=x(b)or q if g>f and(not q or q=='E')then return not q and a or'taken'end return aD(q)or g==f and'released'or'gone'end\n";
export const failed =
  "local function B(c)return type(c)=='table'and c.err and c or nil end\n";
export const fair_body =
  "local L,p=N:match('^%S* %S* %d+ %d+ (%d+) (%d+)')L,p=tonumber(L or 0),tonumber(p or 0)local function ak()H()D=D..string.format(' %.0f %.0f',L,p)end\n";
export const fence =
  "local y=redis.call('GET',KEYS[1])\n";
export const fenced =
  "local i=y or'fence 1 0 0 0 'local p,e,t,o=i:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not p then local b,c=i:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end p,e=tonumber(p),tonumber(e)local g=o:sub(t+1)\n";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end\n";
export const inbox =
  "local aa=KEYS[3]local z=redis.call('ZMSCORE',aa,'i'..ARGV[5],'c','p','b','n','e')local N=tonumber(z[1]or 0)local function ag(a)return-4.5e15-(z[a]or-4.5e15)end local aq,C,t,c,am=ag(2),ag(3),ag(4),ag(5),ag(6)local function az(q,ab)am=math.max(am,a+ab)for i,g in ipairs({aq,C,t,c,am})do table.insert(q,string.format('%.0f',-4.5e15-g))table.insert(q,('cpbne'):sub(i,i))end redis.call('ZADD',aa,unpack(q))redis.call('PEXPIRE',aa,math.ceil((am-a)/1000))end\n";
export const keep =
  "local function V(c)return(c or redis.call)('PEXPIRE',d,ab())end\n";
export const last_end =
  "local function al()return tonumber(redis.call('ZREVRANGEBYSCORE',d,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end\n";
export const last_end_besides =
  "local function an(b)local c={}for C,b in ipairs(b)do c[b]=true end local n=redis.call('ZREVRANGEBYSCORE',d,4e15,a+1,'WITHSCORES','LIMIT',0,#b+1)for i=1,#n,2 do if not c[n[i]]then return tonumber(n[i+1])end end return 0 end\n";
export const latch =
  "local f=j=='latch'and h>a local A,c,e=(f and D or'0 0 0'):match('^(%d+) (%d+) (%d+)$')A,c,e=tonumber(A),tonumber(c),tonumber(e)local function H()j,D='latch',string.format('%.0f %.0f %.0f',A,c,e)end\n";
export const listen =
  "local function as(b)return b:sub(25,36)end local function X(b)local d=I~=''and I:find(as(b),1,true)if d then I=I:sub(1,d-1)..I:sub(d+23)end end local function aH()local o={}for d=1,#I,23 do local f=I:sub(d,d+23-1)if f:sub(12+2)*1000000>a then table.insert(o,f)end end I=table.concat(o)end local function ae(b,Q,c)if tonumber(Q)==0 then return 0 end local d=I:find(as(b),1,true)if d then local b=d+12 if I:sub(b,b)==c then return 1 end I=I:sub(1,b-1)..c..I:sub(b+1)return 1,true,d+23 end if#I==64*23 then aH()end if#I==64*23 then return 0 end if I==''and type(redis.pcall('PUBLISH',M,''))=='table'then return 0 end I=I..string.format('%s%s%010.0f',as(b),c,math.ceil((a+Q*1000)/1000000))return 1,true end\n";
export const lock =
  "local N=j==m and D~=''and D or'  0 0'local J,W,F,K=N:match('^(%S*) (%S*) (%d+) (%d+)')F,K=tonumber(F),tonumber(K)local function H()j,D=m,string.format('%s %s %.0f %.0f',J,W,F,K)end\n";
export const members =
  "local function ag(b)local k,J,W=b:match('^(.+)#(%d+)(.*)$')local n={not k and b or nil}for i=1,math.min(J or 0,1000)do n[i]=k..'#'..i..W end return n end local function ak(g)return g%1>0 and'F'or'E'end\n";
export const once =
  "local i,J,r,p=0,'','',''if j=='once'and h>a then i,J,r,p=D:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function H()j,D='once',string.format('%.0f %s %s %s',i,J,r,p)end\n";
export const oust =
  "local function u()return string.format('%.1f',a-0.5)end local function q()local n=redis.call('ZRANGEBYSCORE',d,a+1,4e15)local t=#n==0 and redis.call('ZCARD',d)if redis.call('ZREMRANGEBYSCORE',d,-1e16,0)~=t then redis.call('ZREMRANGEBYSCORE',d,4.5e15,1e16)end for b=1,#n,2000 do local q={}for i=b,math.min(b+2000-1,#n)do table.insert(q,u())table.insert(q,n[i])end redis.call('ZADD',d,unpack(q))end return#n>0 end\n";
export const permits =
  "local function q(c,b)local e,n,G=redis.call('ZRANGEBYSCORE',d,b,a,'WITHSCORES','LIMIT',0,c),{},{}for i=1,#e,2 do local b,g=e[i],e[i+1]+0 local c,o=b:match('^([tw])(.+)')local J='t'..b:sub(1,36)if g>=-a or g<-1e18 then table.insert(n,b)if c then table.insert(n,(c=='w'and'p'or'n')..o)elseif G[#G]~=J then table.insert(G,am(ak(g)=='F'and 4 or 5))table.insert(G,J)end end end return n,G end local function aG(e,n)return not e or e>0 and e<n end local function aD()return unpack(redis.call('ZRANGEBYSCORE',d,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function aE(b)return b:match('@(.*)$')or''end local function Z(b,f)local c,e=0,0 for C,g in ipairs(redis.call('ZMSCORE',d,unpack(ag(b))))do g=tonumber(g or 0)if g>a then c,e=g,e+1 end end if e>0 then return{'granted',a,f,c-a,e}end end local function aa(b,n,m,e,an,u,G)g=math.max(g+1,a)X(b)local c,q=a+e*1000,{aB(g),'t'..b:sub(1,36)}if m=='counter'then c,q[1]=0,am(1)else for C,b in ipairs(ag(b))do table.insert(q,string.format('%.0f',c))table.insert(q,b)end end h=math.max(h,c,J and a+an*1000 or 0)if j~=m and j~='none'then redis.call('UNLINK',d)u,G={},nil end for C,L in ipairs(G or{})do table.insert(q,L)end redis.call('ZADD',d,unpack(q))H(m)local i=B(V(redis.pcall))or B(s(redis.pcall))if i then redis.call('ZREM',d,'t'..b:sub(1,36),unpack(ag(b)))return i end if#u>0 then redis.pcall('ZREM',d,unpack(u))end return{'granted',a,g,(c>0 and c or h)-a,n}end\n";
export const queue =
  "local function ar(C)return 4.5e15+C end local function an(g)return g-4.5e15 end local function aj(n,a)local u={}for C,b in ipairs(n)do local c=b:match('^w(.+)')if c~=a then table.insert(u,b)if c then table.insert(u,'p'..c)end end end return u end local function ay(f,e,L,P,A)if e==0 then e,L=10000,10000 end local c=(L+500)*math.sqrt(f+1)local a=math.min(25000+P/4,75000+P/12,1000000)local b=math.min(math.max(1750,55*math.sqrt(c),(P-e)/8),a)local d=math.max(e-P,0)+f*(e+2000)+b-c local n=2000000 if f==0 then n=math.min(a,A+1000)elseif L*4>e then n=math.min(a+f*a/8,2000000)end return math.floor(math.min(math.max(d,b),n))end local function aC(r,C,g,...)h=math.max(h,g)return redis.call('ZADD',d,'LT',-g,'w'..r,ar(C),'p'..r,...)end local function aJ(r)redis.call('ZREM',d,'p'..r,'w'..r)end local function aK(b)local n=redis.call('ZRANGEBYSCORE',d,-4e15,-a,'LIMIT',0,2,'WITHSCORES')local c=n[n[1]=='w'..b and 4 or 2]return c and-c or 0 end local function ax()return redis.call('ZCOUNT',d,-4e15,string.format('(%.0f',-a))end\n";
export const ran =
  "local b,f=ARGV[2],tonumber(ARGV[3])local h,N,d={},nil,1 while d<=tonumber(t)do local a=d+36+16 local e=a+3 local c=e+o:sub(a,e-1)-1 table.insert(h,o:sub(d,c))if o:sub(d,d+36-1)==b then N=o:sub(e,c)end d=c+1 end if not N then local h=tonumber(ARGV[5])if h>a or(h<=e and e<=a)then return{'forgotten',a,p}end if f<p then return{'stale',a,p}end end local function l(c)return c:sub(36+1,36+16)end local function k(c,i)table.insert(h,string.format('%s%016.0f%03d',b,a,#c)..c)while#h>64 or l(h[1])<string.format('%016.0f',a-60000000)do e=math.max(e,l(table.remove(h,1)))end local d=table.concat(h)local f=string.format('fence 1 %.0f %.0f %d ',i,e,#d)..d..g redis.call('SET',KEYS[1],f,'PX',ARGV[4])end\n";
export const read_name =
  "local M=KEYS[1]local y=redis.call('GET',M)\n";
export const read_names =
  "local Q=redis.call('MGET',unpack(KEYS))\n";
export const reading =
  "if E(ARGV[1])then return{'kind',a,j}end if h<=a then return{'free',a,g}end local n,e=R()\n";
export const record =
  "local aI=not y y=y or'none 1 0 0   'local j,g,h,O,v,D=y:match('^(%a+) 1 (%d+) (%d+) ()')local af=O and y:find(' ',O,true)local o=af and y:find(' ',af+1,true)if o and(' none lock fair rw once semaphore counter latch '):find(' '..j..' ',1,true)then O,v,D=y:sub(O,af-1),y:sub(af+1,o-1),y:sub(o+1)else j=(y:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')g,h,O,v,D=0,math.huge,'','',''end g,h=tonumber(g),tonumber(h)local ap=v:find('|',1,true)local I=ap and v:sub(ap+1)or''if ap then v=v:sub(1,ap-1)end local l,T={}local function S(b,x,A)local f=b:sub(25,36)..x l[b],T=nil,true if A==0 then local c=(O:find(';',1,true)or#O+1)-1 local e=math.max(c-(64-1)*13,0)+1 O=O:sub(e,c)..f..O:sub(c+1)else local b,e=string.format(';%.0f:',math.ceil((A or a+w*1000)/1000000))O,e=O:gsub(b,'%0'..f)if e==0 then O=O..b..f end end end for b,c in v:gmatch('([^:,]+):(%d+)')do l[b]=tonumber(c)if l[b]<=a then S(b,'E')end end local function x(b)local d=O:find(b:sub(25,36),1,true)return d and O:match('^%u',d+13-1)end local function E(m)return j~=m and h>a end local function R()local n,e=0,0 for C,c in pairs(l)do n,e=math.max(n,c),e+1 end return n,e end local function au()local n={}for b in pairs(l)do table.insert(n,b)end table.sort(n)return n end local function ab()return math.ceil(math.max(h-a,g-a,0)/1000)+w end local function s(c)local v=''for C,b in ipairs(au())do v=v..string.format('%s:%.0f,',b,l[b])end if O:find(';',1,true)then O=O:gsub(';(%d+)[^;]*',function(A)if A*1000000<a then return''end end)end if I~=''then v=v..'|'..I end local d=string.format('%s 1 %.0f %.0f ',j,g,h)..O..' '..v..' '..D c=c or redis.call if aI then return c('SET',M,d,'PX',ab(),'GET')end return c('SET',M,d,'PX',ab())end\n";
export const requests =
  "local function aB(f)return string.format('%.0f',f*1024)end local function am(x)local i=math.floor((a+w*1000)/10)*10 return string.format('%.0f',-(i+x)*1024)end local function ad(g)g=tonumber(g or 0)/1024 if g<0 then return 0,-g%10,-g end return g end local function av(x)return('R CFEP'):sub(x,x)end\n";
export const rw =
  "local N=j=='rw'and D~=''and D or'0   0 0 'local p,J,W,F,K=N:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')p,F,K=tonumber(p),tonumber(F),tonumber(K)local function H()j,D='rw',string.format('%.0f %s %s %.0f %.0f ',p,J,W,F,K)end local function ad(g)return-4.5e15-g end local function aq(g)return-4.5e15-g end local function Q(b)local n=redis.call('ZRANGEBYSCORE',d,-9e15,ad(a+1),'WITHSCORES','LIMIT',0,2)local g=n[n[1]=='r'..(b or'')and 4 or 2]return g and aq(g)or 0 end local function am(r)local n=p>a and redis.call('ZRANGEBYSCORE',d,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}p=math.max(0,-(n[n[1]=='w'..r and 4 or 2]or 0))end\n";
export const rw_expired =
  "local P,C,z,u={},{},{},{[t]=0}local function Z(m,g)local e,n=ai(g)local A=math.max(e-u[m],0)table.insert(C,aa(A,n))table.insert(C,'o'..m)if A==0 then table.insert(P,'o'..m)end end local function ag()local L,f={b,'r'..r,'o'..t,'w'..r},{}local e=redis.call('ZRANGEBYSCORE',d,-a,a,'WITHSCORES','LIMIT',0,50)for i=1,#e,2 do local b,c=e[i],e[i+1]+0 local m=b:match('^%x')and b:match('^[^@]*',36+1)if m and not u[m]then u[m]=0 table.insert(L,'o'..m)table.insert(f,m)end if m then u[m]=u[m]+1 end if m and b:find('@',36+1,true)then table.insert(P,'t'..b:sub(1,36))end if m then table.insert(C,string.format('%.1f',aj(c)))table.insert(C,b)end local d=m and c>a-w*1000 if not d and b~='w'..r then table.insert(P,b)end end z=redis.call('ZMSCORE',d,unpack(L))for i,m in ipairs(f)do Z(m,z[i+4])end end local function ah(b,q)if f then redis.call('UNLINK',d)P,C={},{}end local c={b}for C,L in ipairs(C)do table.insert(c,L)end for C,L in ipairs(q)do table.insert(c,L)end redis.call('ZADD',d,unpack(c))H()local i=B(V(redis.pcall))or B(s(redis.pcall))if i then return i end if#P>0 then redis.pcall('ZREM',d,unpack(P))elseif not f then redis.pcall('ZREMRANGEBYSCORE',d,4e15,aj(a-w*1000))end end\n";
export const semaphore =
  "local N=(j=='semaphore'or j=='counter')and D~=''and D or' 0 0 0 0'local J,F,K,W,p=N:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')J,F,K=h>a and tonumber(J)or nil,tonumber(F),tonumber(K)W,p=tonumber(W),tonumber(p)local function H(m)local c=J and string.format('%.0f',J)or''j,D=m,string.format('%s %.0f %.0f %.0f %.0f',c,F,K,W,p)end local function aA(e)return string.format('%.0f',e*1152921504606846976)end local function az(g)return(g or 0)/1152921504606846976 end local function at()return-1024*a end local function aq()local n=redis.call('ZRANGEBYSCORE',d,at(),-1e18,'LIMIT',0,25)for i=1,#n do table.insert(n,'n'..n[i]:sub(2))end return n end local function aw()local e=redis.call('ZCOUNT',d,a+1,4e15)if e>0 and j=='none'then h=al()end return e end\n";
export const shapes =
  "local r={fair=true,rw=true,semaphore=true,counter=true,latch=true}local F={none={'^$'},lock={'^$','^%S* %S* %d+ %d+$'},fair={'^$','^%S* %S* %d+ %d+$','^%S* %S* %d+ %d+ %d+ %-?%d+$'},rw={'^$','^%d+ %S* %S* %d+ %d+ $'},once={'^%d+ %S* %S* '},semaphore={'^$','^%-?%d* %d+ %d+ %d+ %d+$'},counter={'^$','^%-?%d* %d+ %d+ %d+ %d+$'},latch={'^%d+ %d+ %d+$'}}\n";
export const superseded =
  "local function d(b,c)local a=x(b)return a and aD(a)or tonumber(c)>0 and g>tonumber(c)and'taken'end\n";
export const usual_tenure =
  "local function n(a)F=math.max(F==0 and a or F+(a-F)/8,0)end\n";
export const vacate =
  "local function Z(c)local a=s(redis.pcall)if a and a.err and a.err:find('OOM',1,true)then redis.call('PEXPIRE',M,ab())a=s(redis.pcall)end if a and a.err then if not c or next(l)then return a end redis.call('DEL',M)end end\n";
export const waited =
  "local function P(b)if h>0 then K=math.max(K+math.min((b-K)/8,3*F)+h-a,0)end end\n";
export const wake =
  "local function ao(a)redis.pcall('PUBLISH',M,a)end local function ac(e,b)local p,o=I:sub(1,(b or 1)-1),I:sub(b or 1)while o~=''and e>0 do local b,c,i=o:sub(1,12),o:sub(12+1,12+1),o:sub(12+2,23)o=o:sub(23+1)if c=='r'then p=p..b..c..i elseif c=='w'and i*1000000>a then p,e=p..b..'W'..i,e-1 ao(b)end end I=p..o end local function ah()if I~=''then ao('*')end I=''end\n";
export const wake_head =
  "local function ai(a)local c=I~=''and redis.pcall('ZRANGEBYSCORE',d,4.5e15,8e15,'LIMIT',a,1)[1]local b=c and as(c:sub(2))if b and I:find(b,1,true)then ao(b)end end\n";
export const wake_side =
  "local function G(j,b)if I==''then return end local c=j<=a if c and Q(b)==0 then ac(1)if p<=a then ao('read')end elseif c or p<=a then ao('read')end end\n";
