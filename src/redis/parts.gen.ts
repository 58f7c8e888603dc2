// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const accounts =
  "local function ad(f)local a=(f or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function ac(d,c)local a=math.floor(c/1000)*256+math.min(d,256-1)return string.format('%.0f',8e15+a)end local function ag(c)return 4e15+math.floor(c/8)+c%1 end\n";
export const clock =
  "local as=redis.call('TIME')local a=as[1]*1000000+as[2]\n";
export const close_all =
  "local function j(a)for E,b in ipairs(ai())do K(b,a)end end\n";
export const count_crowd =
  "local function c(b,a)return redis.call('ZCOUNT',KEYS[2],b,a)end local k,b=c(a,4e15),c(-4e15,-a)local o=c(-9e15,-4.5e15-a)if k>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]j=math.max(j,c)end\n";
export const crowd =
  "local i=KEYS[2]local function O(c)return(c or redis.call)('PEXPIRE',i,W())end local function C(c)return type(c)=='table'and c.err and c or nil end\n";
export const described =
  "local function y()local i,c,s=q:match('^fence 1 (%d+) %d+ (%d+) (.*)$')if i and tonumber(i)<9e15 and#s>=tonumber(c)then return'fence',tonumber(i)end if e==math.huge then return'kind',h end if e>9e15 or f>9e15 then return'kind',h..'/1'end if e<=a then return'free',f end local j,d=N()local l for E,a in ipairs(F[h])do l=l or w:find(a)~=nil end if j>9e15 or not l then return'kind',h..'/1'end local k,b,o=0,0,0 if B[h]then k,b=redis.call('ZCOUNT',p,a,4e15),redis.call('ZCOUNT',p,-4e15,-a)end if h=='rw'then o=redis.call('ZCOUNT',p,-9e15,-4.5e15-a)end if k>0 then local c=redis.call('ZREVRANGEBYSCORE',p,4e15,a,'WITHSCORES','LIMIT',0,1)[2]j=math.max(j,c)end local r=w if h=='once'then local i,o,s=w:match('^(%d+) %S* (%S*) (.*)$')r=i..(o~=''and' done'or'  '..s)end return'live',h,f,e-a,d,math.max(j-a,0),'='..r,k,b,o end\n";
export const elsewhere =
  "local function Y(b,z)if e==math.huge then return{'lost',a,'gone'}end K(b,'C',z)return T()or{'closed',a}end\n";
export const ended =
  "local function M()if Q then x(redis.pcall)end return{'closed',a}end\n";
export const ending =
  "local function am(v)return({R='released',C='released',E='expired',F='forced'})[v]end local function R(b,g,F,a)F=v(b)or F if f>g and(not F or F=='E')then return not F and a or'taken'end return am(F)or f==g and'released'or'gone'end\n";
export const fair =
  "local y,n=I:match('^%S* %S* %d+ %d+ (%d+) (%d+)')y,n=tonumber(y or 0),tonumber(n or 0)local function D()G()w=w..string.format(' %.0f %.0f',y,n)end\n";
export const fence =
  "local q=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local i,d,c,s=q:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not i then local b,c=q:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end i,d=tonumber(i),tonumber(d)local f=s:sub(c+1)\n";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end\n";
export const last_end =
  "local function aa()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end\n";
export const last_end_besides =
  "local function ah(b)local c={}for E,b in ipairs(b)do c[b]=true end local j=redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,#b+1)for i=1,#j,2 do if not c[j[i]]then return tonumber(j[i+1])end end return 0 end\n";
export const latch =
  "local g=h=='latch'and e>a local z,d,c=(g and w or'0 0 0'):match('^(%d+) (%d+) (%d+)$')z,d,c=tonumber(z),tonumber(d),tonumber(c)local function G()h,w='latch',string.format('%.0f %.0f %.0f',z,d,c)end\n";
export const lock =
  "local I=h==l and w~=''and w or'  0 0'local P,S,B,u=I:match('^(%S*) (%S*) (%d+) (%d+)')B,u=tonumber(B),tonumber(u)local function G()h,w=l,string.format('%s %s %.0f %.0f',P,S,B,u)end\n";
export const members =
  "local function ab(b)local k,D,S=b:match('^(.+)#(%d+)(.*)$')local j={not k and b or nil}for i=1,math.min(D or 0,1000)do j[i]=k..'#'..i..S end return j end local function ae(f)return f%1>0 and'F'or'E'end\n";
export const once =
  "local i,C,o,j=0,'','',''if h=='once'and e>a then i,C,o,j=w:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function G()h,w='once',string.format('%.0f %s %s %s',i,C,o,j)end\n";
export const oust =
  "local function r()return string.format('%.1f',a-0.5)end local function p()local j=redis.call('ZRANGEBYSCORE',i,a+1,4e15)local c=#j==0 and redis.call('ZCARD',i)if redis.call('ZREMRANGEBYSCORE',i,-1e16,0)~=c then redis.call('ZREMRANGEBYSCORE',i,4.5e15,1e16)end for a=1,#j,2000 do local q={}for i=a,math.min(a+2000-1,#j)do table.insert(q,r())table.insert(q,j[i])end redis.call('ZADD',i,unpack(q))end return#j>0 end\n";
export const permits =
  "local function ak(c,b)local d,j,M=redis.call('ZRANGEBYSCORE',i,b,a,'WITHSCORES','LIMIT',0,c),{},{}for i=1,#d,2 do local b,f=d[i],d[i+1]+0 local c,s=b:match('^([tw])(.+)')local C='t'..b:sub(1,36)if f>=-a or f<-1e18 then table.insert(j,b)if c then table.insert(j,(c=='w'and'p'or'n')..s)elseif M[#M]~=C then table.insert(M,af(ae(f)=='F'and 4 or 5))table.insert(M,C)end end end return j,M end local function at(d,F)return not d or d>0 and d<F end local function ap()return unpack(redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function aq(b)return b:match('@(.*)$')or''end local function Y(b,g)local c,d=0,0 for E,f in ipairs(redis.call('ZMSCORE',i,unpack(ab(b))))do f=tonumber(f or 0)if f>a then c,d=f,d+1 end end if d>0 then return{'granted',a,g,c-a,d}end end local function ah(b,F,l,d,g,r,M)f=math.max(f+1,a)local c,q=a+d*1000,{an(f),'t'..b:sub(1,36)}if l=='counter'then c,q[1]=0,af(1)else for E,b in ipairs(ab(b))do table.insert(q,string.format('%.0f',c))table.insert(q,b)end end e=math.max(e,c,D and a+g*1000 or 0)if h~=l and h~='none'then redis.call('UNLINK',i)r,M={},nil end for E,j in ipairs(M or{})do table.insert(q,j)end redis.call('ZADD',i,unpack(q))G(l)local u=C(O(redis.pcall))or C(x(redis.pcall))if u then redis.call('ZREM',i,'t'..b:sub(1,36),unpack(ab(b)))return u end if#r>0 then redis.pcall('ZREM',i,unpack(r))end return{'granted',a,f,(c>0 and c or e)-a,F}end\n";
export const queue =
  "local function aj(l)return 4.5e15+l end local function ac(f)return f-4.5e15 end local function T(j,a)local r={}for E,b in ipairs(j)do local c=b:match('^w(.+)')if c~=a then table.insert(r,b)if c then table.insert(r,'p'..c)end end end return r end local function am(b,d,y,R,z)if d==0 then d,y=10000,10000 end local a=(y+500)*math.sqrt(b+1)local c=math.min(math.max(1750,55*math.sqrt(a),(R-d)/16),200000)local e=math.max(d-R,0)+b*(d+2000)+c-a return math.floor(math.min(math.max(e,c),2000000,b>0 and 2000000 or z+1000))end local function ao(o,l,d,...)e=math.max(e,d)return redis.call('ZADD',i,'LT',-d,'w'..o,aj(l),'p'..o,...)end local function ay(o)redis.call('ZREM',i,'p'..o,'w'..o)end local function az(b)local j=redis.call('ZRANGEBYSCORE',i,-4e15,-a,'LIMIT',0,2,'WITHSCORES')local c=j[j[1]=='w'..b and 4 or 2]return c and-c or 0 end local function au()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f',-a))end\n";
export const ran =
  "local b,g=ARGV[2],tonumber(ARGV[3])local h,I,e={},nil,1 while e<=tonumber(c)do local d=e+36+16 local a=d+3 local c=a+s:sub(d,a-1)-1 table.insert(h,s:sub(e,c))if s:sub(e,e+36-1)==b then I=s:sub(a,c)end e=c+1 end if not I then local h=tonumber(ARGV[5])if h>a or(h<=d and d<=a)then return{'forgotten',a,i}end if g<i then return{'stale',a,i}end end local function l(c)return c:sub(36+1,36+16)end local function k(c,i)table.insert(h,string.format('%s%016.0f%03d',b,a,#c)..c)while#h>64 or l(h[1])<string.format('%016.0f',a-60000000)do d=math.max(d,l(table.remove(h,1)))end local e=table.concat(h)local g=string.format('fence 1 %.0f %.0f %d ',i,d,#e)..e..f redis.call('SET',KEYS[1],g,'PX',ARGV[4])end\n";
export const read_name =
  "local J=KEYS[1]local q=redis.call('GET',J)\n";
export const read_names =
  "local y=redis.call('MGET',unpack(KEYS))\n";
export const reading =
  "if A(ARGV[1])then return{'kind',a,h}end if e<=a then return{'free',a,f}end local j,d=N()\n";
export const record =
  "local ax=not q q=q or'none 1 0 0   'local h,f,e,H,X,w=q:match('^(%a+) 1 (%d+) (%d+) ()')local Z=H and q:find(' ',H,true)local s=Z and q:find(' ',Z+1,true)if s and(' none lock fair rw once semaphore counter latch '):find(' '..h..' ',1,true)then H,X,w=q:sub(H,Z-1),q:sub(Z+1,s-1),q:sub(s+1)else h=(q:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')f,e,H,X,w=0,math.huge,'','',''end f,e=tonumber(f),tonumber(e)local m,Q={}local function K(b,v,z)local g=b:sub(25,36)..v m[b],Q=nil,true if z==0 then local c=(H:find(';',1,true)or#H+1)-1 local a=math.max(c-(64-1)*13,0)+1 H=H:sub(a,c)..g..H:sub(c+1)else local b,d=string.format(';%.0f:',math.ceil((z or a+t*1000)/1000000))H,d=H:gsub(b,'%0'..g)if d==0 then H=H..b..g end end end for b,c in X:gmatch('([^:,]+):(%d+)')do m[b]=tonumber(c)if m[b]<=a then K(b,'E')end end local function v(b)local e=H:find(b:sub(25,36),1,true)return e and H:match('^%u',e+13-1)end local function A(l)return h~=l and e>a end local function N()local j,d=0,0 for E,c in pairs(m)do j,d=math.max(j,c),d+1 end return j,d end local function ai()local j={}for b in pairs(m)do table.insert(j,b)end table.sort(j)return j end local function W()return math.ceil(math.max(e-a,f-a,0)/1000)+t end local function x(c)local X=''for E,b in ipairs(ai())do X=X..string.format('%s:%.0f,',b,m[b])end if H:find(';',1,true)then H=H:gsub(';(%d+)[^;]*',function(z)if z*1000000<a then return''end end)end local d=string.format('%s 1 %.0f %.0f ',h,f,e)..H..' '..X..' '..w c=c or redis.call if ax then return c('SET',J,d,'PX',W(),'GET')end return c('SET',J,d,'PX',W())end\n";
export const requests =
  "local function an(g)return string.format('%.0f',g*1024)end local function af(v)local ak=math.floor((a+t*1000)/10)*10 return string.format('%.0f',-(ak+v)*1024)end local function V(f)f=tonumber(f or 0)/1024 if f<0 then return 0,-f%10,-f end return f end local function ar(v)return('R CFE'):sub(v,v)end\n";
export const rw =
  "local I=h=='rw'and w~=''and w or'0   0 0 'local n,P,S,B,D=I:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')n,B,D=tonumber(n),tonumber(B),tonumber(D)local function G()h,w='rw',string.format('%.0f %s %s %.0f %.0f ',n,P,S,B,D)end local function af(d)return-4.5e15-d end local function ak(f)return-4.5e15-f end local function U(b)local j=redis.call('ZRANGEBYSCORE',i,-9e15,af(a+1),'WITHSCORES','LIMIT',0,2)local f=j[j[1]=='r'..(b or'')and 4 or 2]return f and ak(f)or 0 end local function aj(o)local j=n>a and redis.call('ZRANGEBYSCORE',i,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}n=math.max(0,-(j[j[1]=='w'..o and 4 or 2]or 0))end\n";
export const rw_expired =
  "local F,g,y,r={},{},{},{[p]=0}local function Y(l,f)local d,j=ad(f)local z=math.max(d-r[l],0)table.insert(g,ac(z,j))table.insert(g,'o'..l)if z==0 then table.insert(F,'o'..l)end end local function ab()local L,e={b,'r'..o,'o'..p,'w'..o},{}local d=redis.call('ZRANGEBYSCORE',i,-a,a,'WITHSCORES','LIMIT',0,50)for i=1,#d,2 do local b,c=d[i],d[i+1]+0 local l=b:match('^%x')and b:match('^[^@]*',36+1)if l and not r[l]then r[l]=0 table.insert(L,'o'..l)table.insert(e,l)end if l then r[l]=r[l]+1 end if l and b:find('@',36+1,true)then table.insert(F,'t'..b:sub(1,36))end if l then table.insert(g,string.format('%.1f',ag(c)))table.insert(g,b)end local f=l and c>a-t*1000 if not f and b~='w'..o then table.insert(F,b)end end y=redis.call('ZMSCORE',i,unpack(L))for i,l in ipairs(e)do Y(l,y[i+4])end end local function ae(c,q)if l then redis.call('UNLINK',i)F,g={},{}end local b={c}for E,j in ipairs(g)do table.insert(b,j)end for E,j in ipairs(q)do table.insert(b,j)end redis.call('ZADD',i,unpack(b))G()local u=C(O(redis.pcall))or C(x(redis.pcall))if u then return u end if#F>0 then redis.pcall('ZREM',i,unpack(F))elseif not l then redis.pcall('ZREMRANGEBYSCORE',i,4e15,ag(a-t*1000))end end\n";
export const semaphore =
  "local I=(h=='semaphore'or h=='counter')and w~=''and w or' 0 0 0 0'local D,B,u,S,n=I:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')D,B,u=e>a and tonumber(D)or nil,tonumber(B),tonumber(u)S,n=tonumber(S),tonumber(n)local function G(l)local b=D and string.format('%.0f',D)or''h,w=l,string.format('%s %.0f %.0f %.0f %.0f',b,B,u,S,n)end local function aw(d)return string.format('%.0f',d*1152921504606846976)end local function av(f)return(f or 0)/1152921504606846976 end local function ad()return-1024*a end local function ag()local j=redis.call('ZRANGEBYSCORE',i,ad(),-1e18,'LIMIT',0,25)for i=1,#j do table.insert(j,'n'..j[i]:sub(2))end return j end local function al()local d=redis.call('ZCOUNT',i,a+1,4e15)if d>0 and h=='none'then e=aa()end return d end\n";
export const shapes =
  "local B={fair=true,rw=true,semaphore=true,counter=true,latch=true}local F={none={'^$'},lock={'^$','^%S* %S* %d+ %d+$'},fair={'^$','^%S* %S* %d+ %d+$','^%S* %S* %d+ %d+ %d+ %-?%d+$'},rw={'^$','^%d+ %S* %S* %d+ %d+ $'},once={'^%d+ %S* %S* '},semaphore={'^$','^%d* %d+ %d+ %d+ %d+$'},counter={'^$','^%d* %d+ %d+ %d+ %d+$'},latch={'^%d+ %d+ %d+$'}}\n";
export const superseded =
  "local function d(b,c)local a=v(b)return a and am(a)or tonumber(c)>0 and f>tonumber(c)and'taken'end\n";
export const usual_tenure =
  "local function E(a)B=math.max(B==0 and a or B+(a-B)/8,0)end\n";
export const vacate =
  "local function T(c)local a=x(redis.pcall)if a and a.err and a.err:find('OOM',1,true)then redis.call('PEXPIRE',J,W())a=x(redis.pcall)end if a and a.err then if not c or next(m)then return a end redis.call('DEL',J)end end\n";
export const waited =
  "local function O(b)if e>0 then u=math.max(u+math.min((b-u)/8,3*B)+e-a,0)end end\n";
