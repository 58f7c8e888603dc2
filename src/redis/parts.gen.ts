// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const accounts =
  "local function C(h)local a=(h or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function Z(d,c)return string.format('%.0f',8e15+math.floor(c/1000)*256+math.min(d,255))end local function ac(c)return 4e15+math.floor(c/8)+c%1 end\n";
export const clock =
  "local ak=redis.call('TIME')local a=ak[1]*1000000+ak[2]\n";
export const crowd =
  "local i=KEYS[2]local function O()redis.call('PEXPIRE',i,ad())end\n";
export const crowded =
  "local function b(c,a)return redis.call('ZCOUNT',KEYS[2],c,a)end local m,p,e=b(a,4e15),b(-4e15,-a),b(-9e15,-4.5e15-a)if m>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]r=math.max(r,c)end\n";
export const elsewhere =
  "local function V(b,k)if g==math.huge then return{'lost',a,'gone'}end E(b,'C',k)return S()or{'closed',a}end\n";
export const ending =
  "local ai={R='released',C='released',E='expired',F='forced'}local function P(b,e,z,a)z=y(b)or z if f>e and(not z or z=='E')then return not z and a or'taken'end return ai[z]or f==e and'released'or'gone'end\n";
export const fair =
  "local v,n=I:match('^%S* %S* %d+ %d+ (%d+) (%d+)')v,n=tonumber(v or 0),tonumber(n or 0)local function H()D()q=q..string.format(' %.0f %.0f',v,n)end\n";
export const fence =
  "local G=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local i,d,c,s=G:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not i then local b,c=G:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end i,d=tonumber(i),tonumber(d)local j=s:sub(c+1)\n";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end\n";
export const latch =
  "local j=h=='latch'and g>a local u,d,c=(j and q or'0 0 0'):match('^(%d+) (%d+) (%d+)$')u,d,c=tonumber(u),tonumber(d),tonumber(c)local function D()h,q='latch',string.format('%.0f %.0f %.0f',u,d,c)end\n";
export const lock =
  "local I=h==m and q~=''and q or'  0 0'local B,R,w,C=I:match('^(%S*) (%S*) (%d+) (%d+)')w,C=tonumber(w),tonumber(C)local function D()h,q=m,string.format('%s %s %.0f %.0f',B,R,w,C)end local function M(a)w=math.max(w==0 and a or w+(a-w)/8,0)end\n";
export const members =
  "local function Y(b)local j,B,R=b:match('^(.+)#(%d+)(.*)$')local k={not j and b or nil}for i=1,math.min(B or 0,1000)do k[i]=j..'#'..i..R end return k end local function X(h)return h%1>0 and'F'or'E'end local function aj(a)return('R CFE'):sub(a,a)end\n";
export const once =
  "local i,m,r,j=0,'','',''if h=='once'and g>a then i,m,r,j=q:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function D()h,q='once',string.format('%.0f %s %s %s',i,m,r,j)end\n";
export const one =
  "local L=KEYS[1]local G=redis.call('GET',L)\n";
export const oust =
  "local function K()local k=redis.call('ZRANGEBYSCORE',i,a+1,4e15)redis.call('ZREMRANGEBYSCORE',i,-1e16,0)redis.call('ZREMRANGEBYSCORE',i,4.5e15,1e16)for b=1,#k,2000 do local l={}for i=b,math.min(b+1999,#k)do table.insert(l,string.format('%.1f',a-0.5))table.insert(l,k[i])end redis.call('ZADD',i,unpack(l))end return#k>0 end\n";
export const permits =
  "local function ac(b,c)local d,k,H=redis.call('ZRANGEBYSCORE',i,c,a,'WITHSCORES','LIMIT',0,b),{},{}for i=1,#d,2 do local b,h=d[i],d[i+1]+0 local c,s=b:match('^([tw])(.+)')local m='t'..b:sub(1,36)if h>=-a or h<-1e18 then table.insert(k,b)if c then table.insert(k,(c=='w'and'p'or'n')..s)elseif H[#H]~=m then table.insert(H,Z(X(h)=='F'and 4 or 5))table.insert(H,m)end end end return k,H end local function al(d,r)return not d or d>0 and d<r end local function ai()return unpack(redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function V(b,e)local c,d=0,0 for H,h in ipairs(redis.call('ZMSCORE',i,unpack(Y(b))))do h=tonumber(h or 0)if h>a then c,d=h,d+1 end end if d>0 then return{'granted',a,e,c-a,d}end end local function S(b,r,m,d,e,p,H)f=math.max(f+1,a)local c,l=a+d*1000,{string.format('%.0f',f*1024),'t'..b:sub(1,36)}if m=='counter'then c,l[1]=0,Z(1)else for H,b in ipairs(Y(b))do table.insert(l,string.format('%.0f',c))table.insert(l,b)end end g=math.max(g,c,B and a+e*1000 or 0)if h~=m and h~='none'then redis.call('UNLINK',i)p,H={},nil end for H,z in ipairs(H or{})do table.insert(l,z)end redis.call('ZADD',i,unpack(l))if#p>0 then redis.call('ZREM',i,unpack(p))end D(m)O()x()return{'granted',a,f,(c>0 and c or g)-a,r}end\n";
export const queue =
  "local Q,aa=20000,2000000 local function an(k,d)local a={}for H,b in ipairs(k)do local c=b:match('^w(.+)')if c~=d then table.insert(a,b)if c then table.insert(a,'p'..c)end end end if a[1]then redis.call('ZREM',i,unpack(a))end end local function af(c,e,v,P,u)if e==0 then e,v=10000,10000 end local a=(v+500)*math.sqrt(c+1)local b=math.min(math.max(1750,55*math.sqrt(a),(P-e)/16),10*Q)local d=math.max(e-P,0)+c*(e+2000)+b-a return math.floor(math.min(math.max(d,b),aa,c>0 and aa or u+1000))end local function ah(a,K,d,...)g=math.max(g,d)return redis.call('ZADD',i,'LT',-d,'w'..a,K+4.5e15,'p'..a,...)end local function ag(a)redis.call('ZREM',i,'p'..a,'w'..a)end local function ao()return-(redis.call('ZRANGEBYSCORE',i,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function am()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f',-a))end\n";
export const ran =
  "local b,e,g,I,f=ARGV[2],tonumber(ARGV[3]),{},nil,1 while f<=tonumber(c)do local c=f+54+s:sub(f+52,f+54)table.insert(g,s:sub(f,c))if s:sub(f,f+35)==b then I=s:sub(f+55,c)end f=c+1 end if not I then local j=tonumber(ARGV[5])if j>a or(j<=d and d<=a)then return{'forgotten',a,i}end if e<i then return{'stale',a,i}end end local function h(c,i)table.insert(g,string.format('%s%016.0f%03d',b,a,#c)..c)while#g>64 or g[1]:sub(37,52)<string.format('%016.0f',a-60e6)do d=math.max(d,table.remove(g,1):sub(37,52))end local e=table.concat(g)local f=string.format('fence 1 %.0f %.0f %d ',i,d,#e)..e..j redis.call('SET',KEYS[1],f,'PX',ARGV[4])end\n";
export const reading =
  "if A(ARGV[1])then return{'kind',a,h}end if g<=a then return{'free',a,f}end local r,d=J()\n";
export const record =
  "G=G or'none 1 0 0   'local h,f,g,F,U,q=G:match('^(%a+) 1 (%d+) (%d+) ()')local W=F and G:find(' ',F,true)local s=W and G:find(' ',W+1,true)if s and(' none lock fair rw once semaphore counter latch '):find(' '..h..' ',1,true)then F,U,q=G:sub(F,W-1),G:sub(W+1,s-1),G:sub(s+1)else h=(G:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')f,g,F,U,q=0,math.huge,'','',''end f,g=tonumber(f),tonumber(g)local l,T={}local function E(b,y,k)local c=b:sub(25,36)..y l[b],T=nil,true if k==0 then local b=F:find(';',1,true)or#F+1 F=(F:sub(1,b-1)..c):sub(-832)..F:sub(b)else local b,d=string.format(';%.0f:',math.ceil((k or a+t*1000)/1e6))F,d=F:gsub(b,'%0'..c)if d==0 then F=F..b..c end end end for b,c in U:gmatch('([^:,]+):(%d+)')do l[b]=tonumber(c)if l[b]<=a then E(b,'E')end end local function y(b)local f=F:find(b:sub(25,36),1,true)return f and F:match('^%u',f+12)end local function A(m)return h~=m and g>a end local function J()local r,d=0,0 for H,c in pairs(l)do r,d=math.max(r,c),d+1 end return r,d end local function ad()return math.ceil(math.max(g-a,f-a,0)/1000)+t end local function x(d)local U=''for b,c in pairs(l)do U=U..string.format('%s:%.0f,',b,c)end if F:find(';',1,true)then F=F:gsub(';(%d+)[^;]*',function(k)if k*1e6<a then return''end end)end local e=string.format('%s 1 %.0f %.0f %s %s ',h,f,g,F,U)return(d or redis.call)('SET',L,e..q,'PX',ad(),'GET')end\n";
export const records =
  "local v=redis.call('MGET',unpack(KEYS))\n";
export const rw =
  "local I=h=='rw'and q~=''and q or'0   0 0 'local n,B,R,w,z=I:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')n,w,z=tonumber(n),tonumber(w),tonumber(z)local function D()h,q='rw',string.format('%.0f %s %s %.0f %.0f ',n,B,R,w,z)end local function aa()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function M()local k=redis.call('ZRANGEBYSCORE',i,-9e15,-4.5e15-a-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(k[2]or-4.5e15)end local function ae(b)local k=n>a and redis.call('ZRANGEBYSCORE',i,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}n=math.max(0,-(k[k[1]=='w'..b and 4 or 2]or 0))end\n";
export const semaphore =
  "local I=(h=='semaphore'or h=='counter')and q~=''and q or' 0 0 0 0'local B,w,C,R,n=I:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')B,w,C=g>a and tonumber(B)or nil,tonumber(w),tonumber(C)R,n=tonumber(R),tonumber(n)local function D(m)local b=B and string.format('%.0f',B)or''h,q=m,string.format('%s %.0f %.0f %.0f %.0f',b,w,C,R,n)end local function N(h)h=tonumber(h or 0)return math.max(h,0)/1024,h<0 and-h/1024%10 or nil end local function Z(b)return string.format('%.0f',-1024*(math.floor((a+t*1000)/10)*10+b))end local function ab()local k=redis.call('ZRANGEBYSCORE',i,-1024*a,-1e18,'LIMIT',0,25)for i=1,#k do table.insert(k,'n'..k[i]:sub(2))end return k end local function ae()return redis.call('ZCOUNT',i,a+1,4e15)end\n";
export const vacate =
  "local function S(e)local f=x(redis.pcall)if f and f.err and f.err:find('OOM',1,true)then redis.call('PEXPIRE',L,ad())f=x(redis.pcall)end if f and f.err then if not e or next(l)then return f end redis.call('DEL',L)end end\n";
export const waited =
  "local function N(b)if g>0 then C=math.max(C+math.min((b-C)/8,3*w)+g-a,0)end end\n";
