// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const accounts =
  "local function ad(g)local a=(g or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function ac(e,c)local a=math.floor(c/1000)*256+math.min(e,256-1)return string.format('%.0f',8e15+a)end local function ag(c)return 4e15+math.floor(c/8)+c%1 end\n";
export const clock =
  "local as=redis.call('TIME')local a=as[1]*1000000+as[2]\n";
export const close_all =
  "local function k(a)for E,b in ipairs(ai())do K(b,a)end end\n";
export const count_crowd =
  "local function c(b,a)return redis.call('ZCOUNT',KEYS[2],b,a)end local j,b=c(a,4e15),c(-4e15,-a)local m=c(-9e15,-4.5e15-a)if j>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]k=math.max(k,c)end\n";
export const crowd =
  "local d=KEYS[2]local function O(c)return(c or redis.call)('PEXPIRE',d,W())end local function C(c)return type(c)=='table'and c.err and c or nil end\n";
export const described =
  "local function y()local d,c,s=q:match('^fence 1 (%d+) %d+ (%d+) (.*)$')if d and tonumber(d)<9e15 and#s>=tonumber(c)then return'fence',tonumber(d)end if f==math.huge then return'kind',i end if f>9e15 or g>9e15 then return'kind',i..'/1'end if f<=a then return'free',g end local k,e=N()local l for E,a in ipairs(F[i])do l=l or w:find(a)~=nil end if k>9e15 or not l then return'kind',i..'/1'end local j,b,m=0,0,0 if z[i]then j,b=redis.call('ZCOUNT',o,a,4e15),redis.call('ZCOUNT',o,-4e15,-a)end if i=='rw'then m=redis.call('ZCOUNT',o,-9e15,-4.5e15-a)end if j>0 then local c=redis.call('ZREVRANGEBYSCORE',o,4e15,a,'WITHSCORES','LIMIT',0,1)[2]k=math.max(k,c)end local p=w if i=='once'then local j,o,s=w:match('^(%d+) %S* (%S*) (.*)$')p=j..(o~=''and' done'or'  '..s)end return'live',i,g,f-a,e,math.max(k-a,0),'='..p,j,b,m end\n";
export const elsewhere =
  "local function Y(b,A)if f==math.huge then return{'lost',a,'gone'}end K(b,'C',A)return T()or{'closed',a}end\n";
export const ended =
  "local function M()if Q then x(redis.pcall)end return{'closed',a}end\n";
export const ending =
  "local function am(v)return({R='released',C='released',E='expired',F='forced'})[v]end local function R(b,h,F,a)F=v(b)or F if g>h and(not F or F=='E')then return not F and a or'taken'end return am(F)or g==h and'released'or'gone'end\n";
export const fair =
  "local y,j=I:match('^%S* %S* %d+ %d+ (%d+) (%d+)')y,j=tonumber(y or 0),tonumber(j or 0)local function D()G()w=w..string.format(' %.0f %.0f',y,j)end\n";
export const fence =
  "local q=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local d,e,c,s=q:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not d then local b,c=q:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end d,e=tonumber(d),tonumber(e)local g=s:sub(c+1)\n";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end\n";
export const last_end =
  "local function aa()return tonumber(redis.call('ZREVRANGEBYSCORE',d,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end\n";
export const last_end_besides =
  "local function ah(b)local c={}for E,b in ipairs(b)do c[b]=true end local k=redis.call('ZREVRANGEBYSCORE',d,4e15,a+1,'WITHSCORES','LIMIT',0,#b+1)for j=1,#k,2 do if not c[k[j]]then return tonumber(k[j+1])end end return 0 end\n";
export const latch =
  "local h=i=='latch'and f>a local A,e,c=(h and w or'0 0 0'):match('^(%d+) (%d+) (%d+)$')A,e,c=tonumber(A),tonumber(e),tonumber(c)local function G()i,w='latch',string.format('%.0f %.0f %.0f',A,e,c)end\n";
export const lock =
  "local I=i==m and w~=''and w or'  0 0'local P,S,z,u=I:match('^(%S*) (%S*) (%d+) (%d+)')z,u=tonumber(z),tonumber(u)local function G()i,w=m,string.format('%s %s %.0f %.0f',P,S,z,u)end\n";
export const members =
  "local function ab(b)local l,D,S=b:match('^(.+)#(%d+)(.*)$')local k={not l and b or nil}for j=1,math.min(D or 0,1000)do k[j]=l..'#'..j..S end return k end local function ae(g)return g%1>0 and'F'or'E'end\n";
export const once =
  "local j,C,o,k=0,'','',''if i=='once'and f>a then j,C,o,k=w:match('^(%d+) (%S*) (%S*) (.*)$')j=tonumber(j)end local function G()i,w='once',string.format('%.0f %s %s %s',j,C,o,k)end\n";
export const oust =
  "local function r()return string.format('%.1f',a-0.5)end local function p()local k=redis.call('ZRANGEBYSCORE',d,a+1,4e15)local c=#k==0 and redis.call('ZCARD',d)if redis.call('ZREMRANGEBYSCORE',d,-1e16,0)~=c then redis.call('ZREMRANGEBYSCORE',d,4.5e15,1e16)end for a=1,#k,2000 do local q={}for j=a,math.min(a+2000-1,#k)do table.insert(q,r())table.insert(q,k[j])end redis.call('ZADD',d,unpack(q))end return#k>0 end\n";
export const permits =
  "local function ak(c,b)local e,k,M=redis.call('ZRANGEBYSCORE',d,b,a,'WITHSCORES','LIMIT',0,c),{},{}for j=1,#e,2 do local b,g=e[j],e[j+1]+0 local c,s=b:match('^([tw])(.+)')local C='t'..b:sub(1,36)if g>=-a or g<-1e18 then table.insert(k,b)if c then table.insert(k,(c=='w'and'p'or'n')..s)elseif M[#M]~=C then table.insert(M,af(ae(g)=='F'and 4 or 5))table.insert(M,C)end end end return k,M end local function at(e,F)return not e or e>0 and e<F end local function ap()return unpack(redis.call('ZRANGEBYSCORE',d,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function aq(b)return b:match('@(.*)$')or''end local function Y(b,h)local c,e=0,0 for E,g in ipairs(redis.call('ZMSCORE',d,unpack(ab(b))))do g=tonumber(g or 0)if g>a then c,e=g,e+1 end end if e>0 then return{'granted',a,h,c-a,e}end end local function ah(b,F,m,e,h,r,M)g=math.max(g+1,a)local c,q=a+e*1000,{an(g),'t'..b:sub(1,36)}if m=='counter'then c,q[1]=0,af(1)else for E,b in ipairs(ab(b))do table.insert(q,string.format('%.0f',c))table.insert(q,b)end end f=math.max(f,c,D and a+h*1000 or 0)if i~=m and i~='none'then redis.call('UNLINK',d)r,M={},nil end for E,k in ipairs(M or{})do table.insert(q,k)end redis.call('ZADD',d,unpack(q))G(m)local u=C(O(redis.pcall))or C(x(redis.pcall))if u then redis.call('ZREM',d,'t'..b:sub(1,36),unpack(ab(b)))return u end if#r>0 then redis.pcall('ZREM',d,unpack(r))end return{'granted',a,g,(c>0 and c or f)-a,F}end\n";
export const queue =
  "local function aj(m)return 4.5e15+m end local function ac(g)return g-4.5e15 end local function T(k,a)local r={}for E,b in ipairs(k)do local c=b:match('^w(.+)')if c~=a then table.insert(r,b)if c then table.insert(r,'p'..c)end end end return r end local function am(b,d,y,R,A)if d==0 then d,y=10000,10000 end local c=(y+500)*math.sqrt(b+1)local a=math.min(25000+R/4,75000+R/12,1000000)local e=math.min(math.max(1750,55*math.sqrt(c),(R-d)/8),a)local f=math.max(d-R,0)+b*(d+2000)+e-c local k=2000000 if b==0 then k=math.min(a,A+1000)elseif y*4>d then k=math.min(a+b*a/8,2000000)end return math.floor(math.min(math.max(f,e),k))end local function ao(o,m,e,...)f=math.max(f,e)return redis.call('ZADD',d,'LT',-e,'w'..o,aj(m),'p'..o,...)end local function ay(o)redis.call('ZREM',d,'p'..o,'w'..o)end local function az(b)local k=redis.call('ZRANGEBYSCORE',d,-4e15,-a,'LIMIT',0,2,'WITHSCORES')local c=k[k[1]=='w'..b and 4 or 2]return c and-c or 0 end local function au()return redis.call('ZCOUNT',d,-4e15,string.format('(%.0f',-a))end\n";
export const ran =
  "local b,h=ARGV[2],tonumber(ARGV[3])local i,I,f={},nil,1 while f<=tonumber(c)do local d=f+36+16 local a=d+3 local c=a+s:sub(d,a-1)-1 table.insert(i,s:sub(f,c))if s:sub(f,f+36-1)==b then I=s:sub(a,c)end f=c+1 end if not I then local i=tonumber(ARGV[5])if i>a or(i<=e and e<=a)then return{'forgotten',a,d}end if h<d then return{'stale',a,d}end end local function l(c)return c:sub(36+1,36+16)end local function k(c,h)table.insert(i,string.format('%s%016.0f%03d',b,a,#c)..c)while#i>64 or l(i[1])<string.format('%016.0f',a-60000000)do e=math.max(e,l(table.remove(i,1)))end local d=table.concat(i)local f=string.format('fence 1 %.0f %.0f %d ',h,e,#d)..d..g redis.call('SET',KEYS[1],f,'PX',ARGV[4])end\n";
export const read_name =
  "local J=KEYS[1]local q=redis.call('GET',J)\n";
export const read_names =
  "local y=redis.call('MGET',unpack(KEYS))\n";
export const reading =
  "if B(ARGV[1])then return{'kind',a,i}end if f<=a then return{'free',a,g}end local k,e=N()\n";
export const record =
  "local ax=not q q=q or'none 1 0 0   'local i,g,f,H,X,w=q:match('^(%a+) 1 (%d+) (%d+) ()')local Z=H and q:find(' ',H,true)local s=Z and q:find(' ',Z+1,true)if s and(' none lock fair rw once semaphore counter latch '):find(' '..i..' ',1,true)then H,X,w=q:sub(H,Z-1),q:sub(Z+1,s-1),q:sub(s+1)else i=(q:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')g,f,H,X,w=0,math.huge,'','',''end g,f=tonumber(g),tonumber(f)local n,Q={}local function K(b,v,A)local d=b:sub(25,36)..v n[b],Q=nil,true if A==0 then local c=(H:find(';',1,true)or#H+1)-1 local a=math.max(c-(64-1)*13,0)+1 H=H:sub(a,c)..d..H:sub(c+1)else local b,e=string.format(';%.0f:',math.ceil((A or a+t*1000)/1000000))H,e=H:gsub(b,'%0'..d)if e==0 then H=H..b..d end end end for b,c in X:gmatch('([^:,]+):(%d+)')do n[b]=tonumber(c)if n[b]<=a then K(b,'E')end end local function v(b)local f=H:find(b:sub(25,36),1,true)return f and H:match('^%u',f+13-1)end local function B(m)return i~=m and f>a end local function N()local k,e=0,0 for E,c in pairs(n)do k,e=math.max(k,c),e+1 end return k,e end local function ai()local k={}for b in pairs(n)do table.insert(k,b)end table.sort(k)return k end local function W()return math.ceil(math.max(f-a,g-a,0)/1000)+t end local function x(c)local X=''for E,b in ipairs(ai())do X=X..string.format('%s:%.0f,',b,n[b])end if H:find(';',1,true)then H=H:gsub(';(%d+)[^;]*',function(A)if A*1000000<a then return''end end)end local d=string.format('%s 1 %.0f %.0f ',i,g,f)..H..' '..X..' '..w c=c or redis.call if ax then return c('SET',J,d,'PX',W(),'GET')end return c('SET',J,d,'PX',W())end\n";
export const requests =
  "local function an(h)return string.format('%.0f',h*1024)end local function af(v)local ak=math.floor((a+t*1000)/10)*10 return string.format('%.0f',-(ak+v)*1024)end local function V(g)g=tonumber(g or 0)/1024 if g<0 then return 0,-g%10,-g end return g end local function ar(v)return('R CFE'):sub(v,v)end\n";
export const rw =
  "local I=i=='rw'and w~=''and w or'0   0 0 'local j,P,S,z,D=I:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')j,z,D=tonumber(j),tonumber(z),tonumber(D)local function G()i,w='rw',string.format('%.0f %s %s %.0f %.0f ',j,P,S,z,D)end local function af(e)return-4.5e15-e end local function ak(g)return-4.5e15-g end local function U(b)local k=redis.call('ZRANGEBYSCORE',d,-9e15,af(a+1),'WITHSCORES','LIMIT',0,2)local g=k[k[1]=='r'..(b or'')and 4 or 2]return g and ak(g)or 0 end local function aj(o)local k=j>a and redis.call('ZRANGEBYSCORE',d,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}j=math.max(0,-(k[k[1]=='w'..o and 4 or 2]or 0))end\n";
export const rw_expired =
  "local F,h,y,r={},{},{},{[p]=0}local function Y(m,g)local e,k=ad(g)local A=math.max(e-r[m],0)table.insert(h,ac(A,k))table.insert(h,'o'..m)if A==0 then table.insert(F,'o'..m)end end local function ab()local L,f={b,'r'..o,'o'..p,'w'..o},{}local e=redis.call('ZRANGEBYSCORE',d,-a,a,'WITHSCORES','LIMIT',0,50)for j=1,#e,2 do local b,c=e[j],e[j+1]+0 local m=b:match('^%x')and b:match('^[^@]*',36+1)if m and not r[m]then r[m]=0 table.insert(L,'o'..m)table.insert(f,m)end if m then r[m]=r[m]+1 end if m and b:find('@',36+1,true)then table.insert(F,'t'..b:sub(1,36))end if m then table.insert(h,string.format('%.1f',ag(c)))table.insert(h,b)end local d=m and c>a-t*1000 if not d and b~='w'..o then table.insert(F,b)end end y=redis.call('ZMSCORE',d,unpack(L))for j,m in ipairs(f)do Y(m,y[j+4])end end local function ae(c,q)if m then redis.call('UNLINK',d)F,h={},{}end local b={c}for E,k in ipairs(h)do table.insert(b,k)end for E,k in ipairs(q)do table.insert(b,k)end redis.call('ZADD',d,unpack(b))G()local u=C(O(redis.pcall))or C(x(redis.pcall))if u then return u end if#F>0 then redis.pcall('ZREM',d,unpack(F))elseif not m then redis.pcall('ZREMRANGEBYSCORE',d,4e15,ag(a-t*1000))end end\n";
export const semaphore =
  "local I=(i=='semaphore'or i=='counter')and w~=''and w or' 0 0 0 0'local D,z,u,S,j=I:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')D,z,u=f>a and tonumber(D)or nil,tonumber(z),tonumber(u)S,j=tonumber(S),tonumber(j)local function G(m)local b=D and string.format('%.0f',D)or''i,w=m,string.format('%s %.0f %.0f %.0f %.0f',b,z,u,S,j)end local function aw(e)return string.format('%.0f',e*1152921504606846976)end local function av(g)return(g or 0)/1152921504606846976 end local function ad()return-1024*a end local function ag()local k=redis.call('ZRANGEBYSCORE',d,ad(),-1e18,'LIMIT',0,25)for j=1,#k do table.insert(k,'n'..k[j]:sub(2))end return k end local function al()local e=redis.call('ZCOUNT',d,a+1,4e15)if e>0 and i=='none'then f=aa()end return e end\n";
export const shapes =
  "local z={fair=true,rw=true,semaphore=true,counter=true,latch=true}local F={none={'^$'},lock={'^$','^%S* %S* %d+ %d+$'},fair={'^$','^%S* %S* %d+ %d+$','^%S* %S* %d+ %d+ %d+ %-?%d+$'},rw={'^$','^%d+ %S* %S* %d+ %d+ $'},once={'^%d+ %S* %S* '},semaphore={'^$','^%d* %d+ %d+ %d+ %d+$'},counter={'^$','^%d* %d+ %d+ %d+ %d+$'},latch={'^%d+ %d+ %d+$'}}\n";
export const superseded =
  "local function d(b,c)local a=v(b)return a and am(a)or tonumber(c)>0 and g>tonumber(c)and'taken'end\n";
export const usual_tenure =
  "local function l(a)z=math.max(z==0 and a or z+(a-z)/8,0)end\n";
export const vacate =
  "local function T(c)local a=x(redis.pcall)if a and a.err and a.err:find('OOM',1,true)then redis.call('PEXPIRE',J,W())a=x(redis.pcall)end if a and a.err then if not c or next(n)then return a end redis.call('DEL',J)end end\n";
export const waited =
  "local function O(b)if f>0 then u=math.max(u+math.min((b-u)/8,3*z)+f-a,0)end end\n";
