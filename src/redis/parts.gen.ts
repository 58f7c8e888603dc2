// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const accounts =
  "local function ah(h)local a=(h or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function ad(e,c)local a=math.floor(c/1000)*256+math.min(e,256-1)return string.format('%.0f',8e15+a)end local function ai(c)return 4e15+math.floor(c/8)+c%1 end\n";
export const clock =
  "local au=redis.call('TIME')local a=au[1]*1000000+au[2]\n";
export const close_all =
  "local function l(a)for H,b in ipairs(ak())do N(b,a)end end\n";
export const count_crowd =
  "local function c(b,a)return redis.call('ZCOUNT',KEYS[2],b,a)end local k,b=c(a,4e15),c(-4e15,-a)local j=c(-9e15,-4.5e15-a)if k>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]l=math.max(l,c)end\n";
export const crowd =
  "local d=KEYS[2]\n";
export const described =
  "local function w()local d,c,v=u:match('^fence 1 (%d+) %d+ (%d+) (.*)$')if d and tonumber(d)<9e15 and#v>=tonumber(c)then return'fence',tonumber(d)end if f==math.huge then return'kind',i end if f>9e15 or h>9e15 then return'kind',i..'/1'end if f<=a then return'free',h end local l,e=Q()local m for H,a in ipairs(E[i])do m=m or q:find(a)~=nil end if l>9e15 or not m then return'kind',i..'/1'end local k,b,j=0,0,0 if t[i]then k,b=redis.call('ZCOUNT',o,a,4e15),redis.call('ZCOUNT',o,-4e15,-a)end if i=='rw'then j=redis.call('ZCOUNT',o,-9e15,-4.5e15-a)end if k>0 then local c=redis.call('ZREVRANGEBYSCORE',o,4e15,a,'WITHSCORES','LIMIT',0,1)[2]l=math.max(l,c)end local r=q if i=='once'then local e,p,v=q:match('^(%d+) %S* (%S*) (.*)$')r=e..(p~=''and' done'or'  '..v)end return'live',i,h,f-a,e,math.max(l-a,0),'='..r,k,b,j end\n";
export const elsewhere =
  "local function ac(b,A)if f==math.huge then return{'lost',a,'gone'}end N(b,'C',A)return V()or{'closed',a}end\n";
export const ended =
  "local function F()if S then y(redis.pcall)end return{'closed',a}end\n";
export const ending =
  "local function an(x)return({R='released',C='released',E='expired',F='forced',S='spent'})[x]end local function T(b,g,D,a)D=x(b)or D if h>g and(not D or D=='E')then return not D and a or'taken'end return an(D)or h==g and'released'or'gone'end\n";
export const failed =
  "local function C(c)return type(c)=='table'and c.err and c or nil end\n";
export const fair =
  "local w,o=L:match('^%S* %S* %d+ %d+ (%d+) (%d+)')w,o=tonumber(w or 0),tonumber(o or 0)local function E()I()q=q..string.format(' %.0f %.0f',w,o)end\n";
export const fence =
  "local u=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local d,f,c,v=u:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not d then local b,c=u:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end d,f=tonumber(d),tonumber(f)local h=v:sub(c+1)\n";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end\n";
export const keep =
  "local function P(c)return(c or redis.call)('PEXPIRE',d,Y())end\n";
export const last_end =
  "local function af()return tonumber(redis.call('ZREVRANGEBYSCORE',d,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end\n";
export const last_end_besides =
  "local function aj(b)local c={}for H,b in ipairs(b)do c[b]=true end local l=redis.call('ZREVRANGEBYSCORE',d,4e15,a+1,'WITHSCORES','LIMIT',0,#b+1)for j=1,#l,2 do if not c[l[j]]then return tonumber(l[j+1])end end return 0 end\n";
export const latch =
  "local g=i=='latch'and f>a local A,e,c=(g and q or'0 0 0'):match('^(%d+) (%d+) (%d+)$')A,e,c=tonumber(A),tonumber(e),tonumber(c)local function I()i,q='latch',string.format('%.0f %.0f %.0f',A,e,c)end\n";
export const lock =
  "local L=i==m and q~=''and q or'  0 0'local R,U,z,G=L:match('^(%S*) (%S*) (%d+) (%d+)')z,G=tonumber(z),tonumber(G)local function I()i,q=m,string.format('%s %s %.0f %.0f',R,U,z,G)end\n";
export const members =
  "local function ab(b)local k,E,U=b:match('^(.+)#(%d+)(.*)$')local l={not k and b or nil}for j=1,math.min(E or 0,1000)do l[j]=k..'#'..j..U end return l end local function ae(h)return h%1>0 and'F'or'E'end\n";
export const once =
  "local e,C,p,j=0,'','',''if i=='once'and f>a then e,C,p,j=q:match('^(%d+) (%S*) (%S*) (.*)$')e=tonumber(e)end local function I()i,q='once',string.format('%.0f %s %s %s',e,C,p,j)end\n";
export const oust =
  "local function t()return string.format('%.1f',a-0.5)end local function r()local l=redis.call('ZRANGEBYSCORE',d,a+1,4e15)local c=#l==0 and redis.call('ZCARD',d)if redis.call('ZREMRANGEBYSCORE',d,-1e16,0)~=c then redis.call('ZREMRANGEBYSCORE',d,4.5e15,1e16)end for a=1,#l,2000 do local q={}for j=a,math.min(a+2000-1,#l)do table.insert(q,t())table.insert(q,l[j])end redis.call('ZADD',d,unpack(q))end return#l>0 end\n";
export const permits =
  "local function aj(c,b)local f,l,F=redis.call('ZRANGEBYSCORE',d,b,a,'WITHSCORES','LIMIT',0,c),{},{}for j=1,#f,2 do local b,h=f[j],f[j+1]+0 local c,v=b:match('^([tw])(.+)')local C='t'..b:sub(1,36)if h>=-a or h<-1e18 then table.insert(l,b)if c then table.insert(l,(c=='w'and'p'or'n')..v)elseif F[#F]~=C then table.insert(F,ag(ae(h)=='F'and 4 or 5))table.insert(F,C)end end end return l,F end local function av(e,l)return not e or e>0 and e<l end local function as()return unpack(redis.call('ZRANGEBYSCORE',d,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function at(b)return b:match('@(.*)$')or''end local function R(b,g)local c,e=0,0 for H,h in ipairs(redis.call('ZMSCORE',d,unpack(ab(b))))do h=tonumber(h or 0)if h>a then c,e=h,e+1 end end if e>0 then return{'granted',a,g,c-a,e}end end local function ac(b,l,m,e,aj,t,F)h=math.max(h+1,a)local c,q=a+e*1000,{aq(h),'t'..b:sub(1,36)}if m=='counter'then c,q[1]=0,ag(1)else for H,b in ipairs(ab(b))do table.insert(q,string.format('%.0f',c))table.insert(q,b)end end f=math.max(f,c,E and a+aj*1000 or 0)if i~=m and i~='none'then redis.call('UNLINK',d)t,F={},nil end for H,J in ipairs(F or{})do table.insert(q,J)end redis.call('ZADD',d,unpack(q))I(m)local j=C(P(redis.pcall))or C(y(redis.pcall))if j then redis.call('ZREM',d,'t'..b:sub(1,36),unpack(ab(b)))return j end if#t>0 then redis.pcall('ZREM',d,unpack(t))end return{'granted',a,h,(c>0 and c or f)-a,l}end\n";
export const queue =
  "local function ad(m)return 4.5e15+m end local function V(h)return h-4.5e15 end local function T(l,a)local t={}for H,b in ipairs(l)do local c=b:match('^w(.+)')if c~=a then table.insert(t,b)if c then table.insert(t,'p'..c)end end end return t end local function an(b,d,w,H,A)if d==0 then d,w=10000,10000 end local e=(w+500)*math.sqrt(b+1)local a=math.min(25000+H/4,75000+H/12,1000000)local c=math.min(math.max(1750,55*math.sqrt(e),(H-d)/8),a)local f=math.max(d-H,0)+b*(d+2000)+c-e local l=2000000 if b==0 then l=math.min(a,A+1000)elseif w*4>d then l=math.min(a+b*a/8,2000000)end return math.floor(math.min(math.max(f,c),l))end local function ar(p,m,e,...)f=math.max(f,e)return redis.call('ZADD',d,'LT',-e,'w'..p,ad(m),'p'..p,...)end local function ay(p)redis.call('ZREM',d,'p'..p,'w'..p)end local function az(b)local l=redis.call('ZRANGEBYSCORE',d,-4e15,-a,'LIMIT',0,2,'WITHSCORES')local c=l[l[1]=='w'..b and 4 or 2]return c and-c or 0 end local function aw()return redis.call('ZCOUNT',d,-4e15,string.format('(%.0f',-a))end\n";
export const ran =
  "local b,g=ARGV[2],tonumber(ARGV[3])local i,L,e={},nil,1 while e<=tonumber(c)do local d=e+36+16 local a=d+3 local c=a+v:sub(d,a-1)-1 table.insert(i,v:sub(e,c))if v:sub(e,e+36-1)==b then L=v:sub(a,c)end e=c+1 end if not L then local i=tonumber(ARGV[5])if i>a or(i<=f and f<=a)then return{'forgotten',a,d}end if g<d then return{'stale',a,d}end end local function l(c)return c:sub(36+1,36+16)end local function k(c,g)table.insert(i,string.format('%s%016.0f%03d',b,a,#c)..c)while#i>64 or l(i[1])<string.format('%016.0f',a-60000000)do f=math.max(f,l(table.remove(i,1)))end local d=table.concat(i)local e=string.format('fence 1 %.0f %.0f %d ',g,f,#d)..d..h redis.call('SET',KEYS[1],e,'PX',ARGV[4])end\n";
export const read_name =
  "local M=KEYS[1]local u=redis.call('GET',M)\n";
export const read_names =
  "local W=redis.call('MGET',unpack(KEYS))\n";
export const reading =
  "if B(ARGV[1])then return{'kind',a,i}end if f<=a then return{'free',a,h}end local l,e=Q()\n";
export const record =
  "local ax=not u u=u or'none 1 0 0   'local i,h,f,K,Z,q=u:match('^(%a+) 1 (%d+) (%d+) ()')local aa=K and u:find(' ',K,true)local v=aa and u:find(' ',aa+1,true)if v and(' none lock fair rw once semaphore counter latch '):find(' '..i..' ',1,true)then K,Z,q=u:sub(K,aa-1),u:sub(aa+1,v-1),u:sub(v+1)else i=(u:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')h,f,K,Z,q=0,math.huge,'','',''end h,f=tonumber(h),tonumber(f)local n,S={}local function N(b,x,A)local d=b:sub(25,36)..x n[b],S=nil,true if A==0 then local c=(K:find(';',1,true)or#K+1)-1 local a=math.max(c-(64-1)*13,0)+1 K=K:sub(a,c)..d..K:sub(c+1)else local b,f=string.format(';%.0f:',math.ceil((A or a+s*1000)/1000000))K,f=K:gsub(b,'%0'..d)if f==0 then K=K..b..d end end end for b,c in Z:gmatch('([^:,]+):(%d+)')do n[b]=tonumber(c)if n[b]<=a then N(b,'E')end end local function x(b)local e=K:find(b:sub(25,36),1,true)return e and K:match('^%u',e+13-1)end local function B(m)return i~=m and f>a end local function Q()local l,e=0,0 for H,c in pairs(n)do l,e=math.max(l,c),e+1 end return l,e end local function ak()local l={}for b in pairs(n)do table.insert(l,b)end table.sort(l)return l end local function Y()return math.ceil(math.max(f-a,h-a,0)/1000)+s end local function y(c)local Z=''for H,b in ipairs(ak())do Z=Z..string.format('%s:%.0f,',b,n[b])end if K:find(';',1,true)then K=K:gsub(';(%d+)[^;]*',function(A)if A*1000000<a then return''end end)end local d=string.format('%s 1 %.0f %.0f ',i,h,f)..K..' '..Z..' '..q c=c or redis.call if ax then return c('SET',M,d,'PX',Y(),'GET')end return c('SET',M,d,'PX',Y())end\n";
export const requests =
  "local function aq(g)return string.format('%.0f',g*1024)end local function ag(x)local W=math.floor((a+s*1000)/10)*10 return string.format('%.0f',-(W+x)*1024)end local function X(h)h=tonumber(h or 0)/1024 if h<0 then return 0,-h%10,-h end return h end local function al(x)return('R CFES'):sub(x,x)end\n";
export const rw =
  "local L=i=='rw'and q~=''and q or'0   0 0 'local o,R,U,z,E=L:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')o,z,E=tonumber(o),tonumber(z),tonumber(E)local function I()i,q='rw',string.format('%.0f %s %s %.0f %.0f ',o,R,U,z,E)end local function X(e)return-4.5e15-e end local function al(h)return-4.5e15-h end local function W(b)local l=redis.call('ZRANGEBYSCORE',d,-9e15,X(a+1),'WITHSCORES','LIMIT',0,2)local h=l[l[1]=='r'..(b or'')and 4 or 2]return h and al(h)or 0 end local function ag(p)local l=o>a and redis.call('ZRANGEBYSCORE',d,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}o=math.max(0,-(l[l[1]=='w'..p and 4 or 2]or 0))end\n";
export const rw_expired =
  "local G,g,w,t={},{},{},{[r]=0}local function ab(m,h)local e,l=ah(h)local A=math.max(e-t[m],0)table.insert(g,ad(A,l))table.insert(g,'o'..m)if A==0 then table.insert(G,'o'..m)end end local function V()local J,e={b,'r'..p,'o'..r,'w'..p},{}local f=redis.call('ZRANGEBYSCORE',d,-a,a,'WITHSCORES','LIMIT',0,50)for j=1,#f,2 do local b,c=f[j],f[j+1]+0 local m=b:match('^%x')and b:match('^[^@]*',36+1)if m and not t[m]then t[m]=0 table.insert(J,'o'..m)table.insert(e,m)end if m then t[m]=t[m]+1 end if m and b:find('@',36+1,true)then table.insert(G,'t'..b:sub(1,36))end if m then table.insert(g,string.format('%.1f',ai(c)))table.insert(g,b)end local d=m and c>a-s*1000 if not d and b~='w'..p then table.insert(G,b)end end w=redis.call('ZMSCORE',d,unpack(J))for j,m in ipairs(e)do ab(m,w[j+4])end end local function ac(c,q)if m then redis.call('UNLINK',d)G,g={},{}end local b={c}for H,J in ipairs(g)do table.insert(b,J)end for H,J in ipairs(q)do table.insert(b,J)end redis.call('ZADD',d,unpack(b))I()local j=C(P(redis.pcall))or C(y(redis.pcall))if j then return j end if#G>0 then redis.pcall('ZREM',d,unpack(G))elseif not m then redis.pcall('ZREMRANGEBYSCORE',d,4e15,ai(a-s*1000))end end\n";
export const semaphore =
  "local L=(i=='semaphore'or i=='counter')and q~=''and q or' 0 0 0 0'local E,z,G,U,o=L:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')E,z,G=f>a and tonumber(E)or nil,tonumber(z),tonumber(G)U,o=tonumber(U),tonumber(o)local function I(m)local c=E and string.format('%.0f',E)or''i,q=m,string.format('%s %.0f %.0f %.0f %.0f',c,z,G,U,o)end local function ap(e)return string.format('%.0f',e*1152921504606846976)end local function ao(h)return(h or 0)/1152921504606846976 end local function ai()return-1024*a end local function ah()local l=redis.call('ZRANGEBYSCORE',d,ai(),-1e18,'LIMIT',0,25)for j=1,#l do table.insert(l,'n'..l[j]:sub(2))end return l end local function am()local e=redis.call('ZCOUNT',d,a+1,4e15)if e>0 and i=='none'then f=af()end return e end\n";
export const shapes =
  "local t={fair=true,rw=true,semaphore=true,counter=true,latch=true}local E={none={'^$'},lock={'^$','^%S* %S* %d+ %d+$'},fair={'^$','^%S* %S* %d+ %d+$','^%S* %S* %d+ %d+ %d+ %-?%d+$'},rw={'^$','^%d+ %S* %S* %d+ %d+ $'},once={'^%d+ %S* %S* '},semaphore={'^$','^%-?%d* %d+ %d+ %d+ %d+$'},counter={'^$','^%-?%d* %d+ %d+ %d+ %d+$'},latch={'^%d+ %d+ %d+$'}}\n";
export const superseded =
  "local function d(b,c)local a=x(b)return a and an(a)or tonumber(c)>0 and h>tonumber(c)and'taken'end\n";
export const usual_tenure =
  "local function e(a)z=math.max(z==0 and a or z+(a-z)/8,0)end\n";
export const vacate =
  "local function V(c)local a=y(redis.pcall)if a and a.err and a.err:find('OOM',1,true)then redis.call('PEXPIRE',M,Y())a=y(redis.pcall)end if a and a.err then if not c or next(n)then return a end redis.call('DEL',M)end end\n";
export const waited =
  "local function E(b)if f>0 then G=math.max(G+math.min((b-G)/8,3*z)+f-a,0)end end\n";
