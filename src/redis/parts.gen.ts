// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const accounts =
  "local function ad(h)local a=(h or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function W(e,c)local a=math.floor(c/1000)*256+math.min(e,256-1)return string.format('%.0f',8e15+a)end local function ah(c)return 4e15+math.floor(c/8)+c%1 end\n";
export const clock =
  "local au=redis.call('TIME')local a=au[1]*1000000+au[2]\n";
export const close_all =
  "local function k(a)for I,b in ipairs(ak())do O(b,a)end end\n";
export const count_crowd =
  "local function d(b,a)return redis.call('ZCOUNT',KEYS[2],b,a)end local m,b=d(a,4e15),d(-4e15,-a)local c=d(-9e15,-4.5e15-a)if m>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]n=math.max(n,c)end\n";
export const crowd =
  "local d=KEYS[2]\n";
export const described =
  "local function y()local d,k,v=u:match('^fence 1 (%d+) %d+ (%d+) (.*)$')if d and tonumber(d)<9e15 and#v>=tonumber(k)then return'fence',tonumber(d)end if g==math.huge then return'kind',j end if g>9e15 or h>9e15 then return'kind',j..'/1'end if g<=a then return'free',h end local n,e=P()local o for I,a in ipairs(E[j])do o=o or s:find(a)~=nil end if n>9e15 or not o then return'kind',j..'/1'end local m,b,c=0,0,0 if q[j]then m,b=redis.call('ZCOUNT',p,a,4e15),redis.call('ZCOUNT',p,-4e15,-a)end if j=='rw'then c=redis.call('ZCOUNT',p,-9e15,-4.5e15-a)end if m>0 then local c=redis.call('ZREVRANGEBYSCORE',p,4e15,a,'WITHSCORES','LIMIT',0,1)[2]n=math.max(n,c)end local r=s if j=='once'then local i,q,v=s:match('^(%d+) %S* (%S*) (.*)$')r=i..(q~=''and' done'or'  '..v)end return'live',j,h,g-a,e,math.max(n-a,0),'='..r,m,b,c end\n";
export const elsewhere =
  "local function V(b,z)if g==math.huge then return{'lost',a,'gone'}end O(b,'C',z)return U()or{'closed',a}end\n";
export const ended =
  "local function G()if Q then x(redis.pcall)end return{'closed',a}end\n";
export const ending =
  "local function ar(w)return({R='released',C='released',E='expired',F='forced',S='spent'})[w]end local function R(b,f,F,a)F=w(b)or F if h>f and(not F or F=='E')then return not F and a or'taken'end return ar(F)or h==f and'released'or'gone'end\n";
export const failed =
  "local function E(c)return type(c)=='table'and c.err and c or nil end\n";
export const fair =
  "local y,o=M:match('^%S* %S* %d+ %d+ (%d+) (%d+)')y,o=tonumber(y or 0),tonumber(o or 0)local function F()C()s=s..string.format(' %.0f %.0f',y,o)end\n";
export const fence =
  "local u=redis.call('GET',KEYS[1])\n";
export const fenced =
  "local j=u or'fence 1 0 0 0 'local d,g,k,v=j:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not d then local b,c=j:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end d,g=tonumber(d),tonumber(g)local h=v:sub(k+1)\n";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end\n";
export const keep =
  "local function T(c)return(c or redis.call)('PEXPIRE',d,Z())end\n";
export const last_end =
  "local function af()return tonumber(redis.call('ZREVRANGEBYSCORE',d,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end\n";
export const last_end_besides =
  "local function aj(b)local c={}for I,b in ipairs(b)do c[b]=true end local n=redis.call('ZREVRANGEBYSCORE',d,4e15,a+1,'WITHSCORES','LIMIT',0,#b+1)for i=1,#n,2 do if not c[n[i]]then return tonumber(n[i+1])end end return 0 end\n";
export const latch =
  "local f=j=='latch'and g>a local z,c,e=(f and s or'0 0 0'):match('^(%d+) (%d+) (%d+)$')z,c,e=tonumber(z),tonumber(c),tonumber(e)local function C()j,s='latch',string.format('%.0f %.0f %.0f',z,c,e)end\n";
export const lock =
  "local M=j==m and s~=''and s or'  0 0'local J,S,A,H=M:match('^(%S*) (%S*) (%d+) (%d+)')A,H=tonumber(A),tonumber(H)local function C()j,s=m,string.format('%s %s %.0f %.0f',J,S,A,H)end\n";
export const members =
  "local function ac(b)local k,G,S=b:match('^(.+)#(%d+)(.*)$')local n={not k and b or nil}for i=1,math.min(G or 0,1000)do n[i]=k..'#'..i..S end return n end local function ae(h)return h%1>0 and'F'or'E'end\n";
export const once =
  "local i,E,q,o=0,'','',''if j=='once'and g>a then i,E,q,o=s:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function C()j,s='once',string.format('%.0f %s %s %s',i,E,q,o)end\n";
export const oust =
  "local function r()return string.format('%.1f',a-0.5)end local function p()local n=redis.call('ZRANGEBYSCORE',d,a+1,4e15)local k=#n==0 and redis.call('ZCARD',d)if redis.call('ZREMRANGEBYSCORE',d,-1e16,0)~=k then redis.call('ZREMRANGEBYSCORE',d,4.5e15,1e16)end for a=1,#n,2000 do local s={}for i=a,math.min(a+2000-1,#n)do table.insert(s,r())table.insert(s,n[i])end redis.call('ZADD',d,unpack(s))end return#n>0 end\n";
export const permits =
  "local function aj(c,b)local g,n,F=redis.call('ZRANGEBYSCORE',d,b,a,'WITHSCORES','LIMIT',0,c),{},{}for i=1,#g,2 do local b,h=g[i],g[i+1]+0 local c,v=b:match('^([tw])(.+)')local E='t'..b:sub(1,36)if h>=-a or h<-1e18 then table.insert(n,b)if c then table.insert(n,(c=='w'and'p'or'n')..v)elseif F[#F]~=E then table.insert(F,ag(ae(h)=='F'and 4 or 5))table.insert(F,E)end end end return n,F end local function av(e,n)return not e or e>0 and e<n end local function as()return unpack(redis.call('ZRANGEBYSCORE',d,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function at(b)return b:match('@(.*)$')or''end local function S(b,f)local c,e=0,0 for I,h in ipairs(redis.call('ZMSCORE',d,unpack(ac(b))))do h=tonumber(h or 0)if h>a then c,e=h,e+1 end end if e>0 then return{'granted',a,f,c-a,e}end end local function W(b,n,m,e,aj,r,F)h=math.max(h+1,a)local c,s=a+e*1000,{aq(h),'t'..b:sub(1,36)}if m=='counter'then c,s[1]=0,ag(1)else for I,b in ipairs(ac(b))do table.insert(s,string.format('%.0f',c))table.insert(s,b)end end g=math.max(g,c,G and a+aj*1000 or 0)if j~=m and j~='none'then redis.call('UNLINK',d)r,F={},nil end for I,J in ipairs(F or{})do table.insert(s,J)end redis.call('ZADD',d,unpack(s))C(m)local i=E(T(redis.pcall))or E(x(redis.pcall))if i then redis.call('ZREM',d,'t'..b:sub(1,36),unpack(ac(b)))return i end if#r>0 then redis.pcall('ZREM',d,unpack(r))end return{'granted',a,h,(c>0 and c or g)-a,n}end\n";
export const queue =
  "local function ad(m)return 4.5e15+m end local function V(h)return h-4.5e15 end local function U(n,a)local r={}for I,b in ipairs(n)do local c=b:match('^w(.+)')if c~=a then table.insert(r,b)if c then table.insert(r,'p'..c)end end end return r end local function an(b,d,y,I,z)if d==0 then d,y=10000,10000 end local e=(y+500)*math.sqrt(b+1)local a=math.min(25000+I/4,75000+I/12,1000000)local c=math.min(math.max(1750,55*math.sqrt(e),(I-d)/8),a)local f=math.max(d-I,0)+b*(d+2000)+c-e local n=2000000 if b==0 then n=math.min(a,z+1000)elseif y*4>d then n=math.min(a+b*a/8,2000000)end return math.floor(math.min(math.max(f,c),n))end local function ar(q,m,e,...)g=math.max(g,e)return redis.call('ZADD',d,'LT',-e,'w'..q,ad(m),'p'..q,...)end local function ay(q)redis.call('ZREM',d,'p'..q,'w'..q)end local function az(b)local n=redis.call('ZRANGEBYSCORE',d,-4e15,-a,'LIMIT',0,2,'WITHSCORES')local c=n[n[1]=='w'..b and 4 or 2]return c and-c or 0 end local function aw()return redis.call('ZCOUNT',d,-4e15,string.format('(%.0f',-a))end\n";
export const ran =
  "local b,f=ARGV[2],tonumber(ARGV[3])local i,M,e={},nil,1 while e<=tonumber(k)do local d=e+36+16 local a=d+3 local c=a+v:sub(d,a-1)-1 table.insert(i,v:sub(e,c))if v:sub(e,e+36-1)==b then M=v:sub(a,c)end e=c+1 end if not M then local i=tonumber(ARGV[5])if i>a or(i<=g and g<=a)then return{'forgotten',a,d}end if f<d then return{'stale',a,d}end end local function n(c)return c:sub(36+1,36+16)end local function m(c,f)table.insert(i,string.format('%s%016.0f%03d',b,a,#c)..c)while#i>64 or n(i[1])<string.format('%016.0f',a-60000000)do g=math.max(g,n(table.remove(i,1)))end local d=table.concat(i)local e=string.format('fence 1 %.0f %.0f %d ',f,g,#d)..d..h redis.call('SET',KEYS[1],e,'PX',ARGV[4])end\n";
export const read_name =
  "local K=KEYS[1]local u=redis.call('GET',K)\n";
export const read_names =
  "local N=redis.call('MGET',unpack(KEYS))\n";
export const reading =
  "if B(ARGV[1])then return{'kind',a,j}end if g<=a then return{'free',a,h}end local n,e=P()\n";
export const record =
  "local ax=not u u=u or'none 1 0 0   'local j,h,g,L,aa,s=u:match('^(%a+) 1 (%d+) (%d+) ()')local ab=L and u:find(' ',L,true)local v=ab and u:find(' ',ab+1,true)if v and(' none lock fair rw once semaphore counter latch '):find(' '..j..' ',1,true)then L,aa,s=u:sub(L,ab-1),u:sub(ab+1,v-1),u:sub(v+1)else j=(u:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')h,g,L,aa,s=0,math.huge,'','',''end h,g=tonumber(h),tonumber(g)local l,Q={}local function O(b,w,z)local d=b:sub(25,36)..w l[b],Q=nil,true if z==0 then local c=(L:find(';',1,true)or#L+1)-1 local a=math.max(c-(64-1)*13,0)+1 L=L:sub(a,c)..d..L:sub(c+1)else local b,g=string.format(';%.0f:',math.ceil((z or a+t*1000)/1000000))L,g=L:gsub(b,'%0'..d)if g==0 then L=L..b..d end end end for b,c in aa:gmatch('([^:,]+):(%d+)')do l[b]=tonumber(c)if l[b]<=a then O(b,'E')end end local function w(b)local e=L:find(b:sub(25,36),1,true)return e and L:match('^%u',e+13-1)end local function B(m)return j~=m and g>a end local function P()local n,e=0,0 for I,c in pairs(l)do n,e=math.max(n,c),e+1 end return n,e end local function ak()local n={}for b in pairs(l)do table.insert(n,b)end table.sort(n)return n end local function Z()return math.ceil(math.max(g-a,h-a,0)/1000)+t end local function x(c)local aa=''for I,b in ipairs(ak())do aa=aa..string.format('%s:%.0f,',b,l[b])end if L:find(';',1,true)then L=L:gsub(';(%d+)[^;]*',function(z)if z*1000000<a then return''end end)end local d=string.format('%s 1 %.0f %.0f ',j,h,g)..L..' '..aa..' '..s c=c or redis.call if ax then return c('SET',K,d,'PX',Z(),'GET')end return c('SET',K,d,'PX',Z())end\n";
export const requests =
  "local function aq(f)return string.format('%.0f',f*1024)end local function ag(w)local W=math.floor((a+t*1000)/10)*10 return string.format('%.0f',-(W+w)*1024)end local function Y(h)h=tonumber(h or 0)/1024 if h<0 then return 0,-h%10,-h end return h end local function al(w)return('R CFES'):sub(w,w)end\n";
export const rw =
  "local M=j=='rw'and s~=''and s or'0   0 0 'local o,J,S,A,F=M:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')o,A,F=tonumber(o),tonumber(A),tonumber(F)local function C()j,s='rw',string.format('%.0f %s %s %.0f %.0f ',o,J,S,A,F)end local function Y(e)return-4.5e15-e end local function al(h)return-4.5e15-h end local function N(b)local n=redis.call('ZRANGEBYSCORE',d,-9e15,Y(a+1),'WITHSCORES','LIMIT',0,2)local h=n[n[1]=='r'..(b or'')and 4 or 2]return h and al(h)or 0 end local function ai(q)local n=o>a and redis.call('ZRANGEBYSCORE',d,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}o=math.max(0,-(n[n[1]=='w'..q and 4 or 2]or 0))end\n";
export const rw_expired =
  "local H,I,y,r={},{},{},{[p]=0}local function ae(m,h)local e,n=ad(h)local z=math.max(e-r[m],0)table.insert(I,W(z,n))table.insert(I,'o'..m)if z==0 then table.insert(H,'o'..m)end end local function ac()local N,e={b,'r'..q,'o'..p,'w'..q},{}local g=redis.call('ZRANGEBYSCORE',d,-a,a,'WITHSCORES','LIMIT',0,50)for i=1,#g,2 do local b,c=g[i],g[i+1]+0 local m=b:match('^%x')and b:match('^[^@]*',36+1)if m and not r[m]then r[m]=0 table.insert(N,'o'..m)table.insert(e,m)end if m then r[m]=r[m]+1 end if m and b:find('@',36+1,true)then table.insert(H,'t'..b:sub(1,36))end if m then table.insert(I,string.format('%.1f',ah(c)))table.insert(I,b)end local d=m and c>a-t*1000 if not d and b~='w'..q then table.insert(H,b)end end y=redis.call('ZMSCORE',d,unpack(N))for i,m in ipairs(e)do ae(m,y[i+4])end end local function ag(c,s)if f then redis.call('UNLINK',d)H,I={},{}end local b={c}for I,J in ipairs(I)do table.insert(b,J)end for I,J in ipairs(s)do table.insert(b,J)end redis.call('ZADD',d,unpack(b))C()local i=E(T(redis.pcall))or E(x(redis.pcall))if i then return i end if#H>0 then redis.pcall('ZREM',d,unpack(H))elseif not f then redis.pcall('ZREMRANGEBYSCORE',d,4e15,ah(a-t*1000))end end\n";
export const semaphore =
  "local M=(j=='semaphore'or j=='counter')and s~=''and s or' 0 0 0 0'local G,A,H,X,o=M:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')G,A,H=g>a and tonumber(G)or nil,tonumber(A),tonumber(H)X,o=tonumber(X),tonumber(o)local function C(m)local c=G and string.format('%.0f',G)or''j,s=m,string.format('%s %.0f %.0f %.0f %.0f',c,A,H,X,o)end local function ap(e)return string.format('%.0f',e*1152921504606846976)end local function ao(h)return(h or 0)/1152921504606846976 end local function ai()return-1024*a end local function ah()local n=redis.call('ZRANGEBYSCORE',d,ai(),-1e18,'LIMIT',0,25)for i=1,#n do table.insert(n,'n'..n[i]:sub(2))end return n end local function am()local e=redis.call('ZCOUNT',d,a+1,4e15)if e>0 and j=='none'then g=af()end return e end\n";
export const shapes =
  "local q={fair=true,rw=true,semaphore=true,counter=true,latch=true}local E={none={'^$'},lock={'^$','^%S* %S* %d+ %d+$'},fair={'^$','^%S* %S* %d+ %d+$','^%S* %S* %d+ %d+ %d+ %-?%d+$'},rw={'^$','^%d+ %S* %S* %d+ %d+ $'},once={'^%d+ %S* %S* '},semaphore={'^$','^%-?%d* %d+ %d+ %d+ %d+$'},counter={'^$','^%-?%d* %d+ %d+ %d+ %d+$'},latch={'^%d+ %d+ %d+$'}}\n";
export const superseded =
  "local function d(b,c)local a=w(b)return a and ar(a)or tonumber(c)>0 and h>tonumber(c)and'taken'end\n";
export const usual_tenure =
  "local function k(a)A=math.max(A==0 and a or A+(a-A)/8,0)end\n";
export const vacate =
  "local function U(c)local a=x(redis.pcall)if a and a.err and a.err:find('OOM',1,true)then redis.call('PEXPIRE',K,Z())a=x(redis.pcall)end if a and a.err then if not c or next(l)then return a end redis.call('DEL',K)end end\n";
export const waited =
  "local function y(b)if g>0 then H=math.max(H+math.min((b-H)/8,3*A)+g-a,0)end end\n";
