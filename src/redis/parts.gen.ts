// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const clock =
  "local ec=redis.call('TIME')local e=ec[1]*1000000+ec[2]\n";
export const crowd =
  "local i=KEYS[2]local function N()redis.call('PEXPIRE',i,ea())end\n";
export const crowded =
  "local function t(n,e)return redis.call('ZCOUNT',KEYS[2],n,e)end local s,m,n=t(e,4e15),t(-4e15,-e),t(-9e15,-4.5e15-e)if s>0 then local n=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,e,'WITHSCORES','LIMIT',0,1)[2]y=math.max(y,n)end\n";
export const elsewhere =
  "local function V(t,c)if r==math.huge then return{'lost',e,'gone'}end E(t,'C',c)return S()or{'closed',e}end\n";
export const ending =
  "local ed={R='released',C='released',E='expired',F='forced'}local function P(t,o,y,e)y=q(t)or y if l>o and(not y or y=='E')then return not y and e or'taken'end return ed[y]or l==o and'released'or'gone'end\n";
export const fair =
  "local B,u=I:match('^%S* %S* %d+ %d+ (%d+) (%d+)')B,u=tonumber(B or 0),tonumber(u or 0)local function H()C()k=k..string.format(' %.0f %.0f',B,u)end\n";
export const fence =
  "local G=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local i,a,n,g=G:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not i then local t,n=G:match('^(%a+) (%d+) ')return{'kind',e,t and t..'/'..n or'foreign'}end i,a=tonumber(i),tonumber(a)local s=g:sub(n+1)\n";
export const fresh =
  "if e>tonumber(ARGV[1])then return{'late',e}end\n";
export const latch =
  "local s=d=='latch'and r>e local w,a,n=(s and k or'0 0 0'):match('^(%d+) (%d+) (%d+)$')w,a,n=tonumber(w),tonumber(a),tonumber(n)local function C()d,k='latch',string.format('%.0f %.0f %.0f',w,a,n)end\n";
export const lock =
  "local I=d==m and k~=''and k or'  0 0'local A,R,x,D=I:match('^(%S*) (%S*) (%d+) (%d+)')x,D=tonumber(x),tonumber(D)local function C()d,k=m,string.format('%s %s %.0f %.0f',A,R,x,D)end local function L(e)x=math.max(x==0 and e or x+(e-x)/8,0)end\n";
export const members =
  "local function Y(t)local s,B,R=t:match('^(.+)#(%d+)(.*)$')local c={not s and t or nil}for i=1,math.min(B or 0,1000)do c[i]=s..'#'..i..R end return c end local function X(d)return d%1>0 and'F'or'E'end local function es(e)return('R CFE'):sub(e,e)end\n";
export const once =
  "local i,m,A,s=0,'','',''if d=='once'and r>e then i,m,A,s=k:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function C()d,k='once',string.format('%.0f %s %s %s',i,m,A,s)end\n";
export const one =
  "local O=KEYS[1]local G=redis.call('GET',O)\n";
export const oust =
  "local function K()local c=redis.call('ZRANGEBYSCORE',i,e+1,4e15)redis.call('ZREMRANGEBYSCORE',i,-1e16,0)redis.call('ZREMRANGEBYSCORE',i,4.5e15,1e16)for t=1,#c,2000 do local f={}for i=t,math.min(t+1999,#c)do table.insert(f,string.format('%.1f',e-0.5))table.insert(f,c[i])end redis.call('ZADD',i,unpack(f))end return#c>0 end\n";
export const owners =
  "local function D(d)local e=(d or 8e15)-8e15 return e%256,math.floor(e/256)*1000 end local function Z(a,n)return string.format('%.0f',8e15+math.floor(n/1000)*256+math.min(a,255))end local function et(n)return 4e15+math.floor(n/8)+n%1 end\n";
export const permits =
  "local function en(t,n)local a,c,H=redis.call('ZRANGEBYSCORE',i,n,e,'WITHSCORES','LIMIT',0,t),{},{}for i=1,#a,2 do local t,d=a[i],a[i+1]+0 local n,g=t:match('^([tw])(.+)')local m='t'..t:sub(1,36)if d>=-e or d<-1e18 then table.insert(c,t)if n then table.insert(c,(n=='w'and'p'or'n')..g)elseif H[#H]~=m then table.insert(H,Z(X(d)=='F'and 4 or 5))table.insert(H,m)end end end return c,H end local function ef(a,y)return not a or a>0 and a<y end local function ed()return unpack(redis.call('ZRANGEBYSCORE',i,e+1,4e15,'WITHSCORES','LIMIT',0,1))end local function V(t,o)local n,a=0,0 for H,d in ipairs(redis.call('ZMSCORE',i,unpack(Y(t))))do d=tonumber(d or 0)if d>e then n,a=d,a+1 end end if a>0 then return{'granted',e,o,n-e,a}end end local function S(t,y,m,a,o,p,H)l=math.max(l+1,e)local n,f=e+a*1000,{string.format('%.0f',l*1024),'t'..t:sub(1,36)}if m=='counter'then n,f[1]=0,Z(1)else for H,t in ipairs(Y(t))do table.insert(f,string.format('%.0f',n))table.insert(f,t)end end r=math.max(r,n,B and e+o*1000 or 0)if d~=m and d~='none'then redis.call('UNLINK',i)p,H={},nil end for H,A in ipairs(H or{})do table.insert(f,A)end redis.call('ZADD',i,unpack(f))if#p>0 then redis.call('ZREM',i,unpack(p))end C(m)N()j()return{'granted',e,l,(n>0 and n or r)-e,y}end\n";
export const queue =
  "local Q,ee=20000,2000000 local function eh(c,a)local e={}for H,t in ipairs(c)do local n=t:match('^w(.+)')if n~=a then table.insert(e,t)if n then table.insert(e,'p'..n)end end end if e[1]then redis.call('ZREM',i,unpack(e))end end local function el(n,o,B,P,w)if o==0 then o,B=10000,10000 end local e=(B+500)*math.sqrt(n+1)local t=math.min(math.max(3000,95*math.sqrt(e),(P-o)/16),10*Q)local a=math.max(o-P,0)+n*(o+2000)+t-1.5*e return math.floor(math.min(math.max(a,t),ee,n>0 and ee or w+1000))end local function ei(e,K,a,...)r=math.max(r,a)return redis.call('ZADD',i,'LT',-a,'w'..e,K+4.5e15,'p'..e,...)end local function er(e)redis.call('ZREM',i,'p'..e,'w'..e)end local function ep()return-(redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function em()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f',-e))end\n";
export const ran =
  "local t,o,r,I,l=ARGV[2],tonumber(ARGV[3]),{},nil,1 while l<=tonumber(n)do local n=l+54+g:sub(l+52,l+54)table.insert(r,g:sub(l,n))if g:sub(l,l+35)==t then I=g:sub(l+55,n)end l=n+1 end if not I then local s=tonumber(ARGV[5])if s>e or(s<=a and a<=e)then return{'forgotten',e,i}end if o<i then return{'stale',e,i}end end local function d(n,i)table.insert(r,string.format('%s%016.0f%03d',t,e,#n)..n)while#r>64 or r[1]:sub(37,52)<string.format('%016.0f',e-60e6)do a=math.max(a,table.remove(r,1):sub(37,52))end local o=table.concat(r)local l=string.format('fence 1 %.0f %.0f %d ',i,a,#o)..o..s redis.call('SET',KEYS[1],l,'PX',ARGV[4])end\n";
export const reading =
  "if z(ARGV[1])then return{'kind',e,d}end if r<=e then return{'free',e,l}end local y,a=J()\n";
export const record =
  "G=G or'none 1 0 0   'local d,l,r,F,U,k=G:match('^(%a+) 1 (%d+) (%d+) ()')local W=F and G:find(' ',F,true)local g=W and G:find(' ',W+1,true)if g and(' none lock fair rw once semaphore counter latch '):find(' '..d..' ',1,true)then F,U,k=G:sub(F,W-1),G:sub(W+1,g-1),G:sub(g+1)else d=(G:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')l,r,F,U,k=0,math.huge,'','',''end l,r=tonumber(l),tonumber(r)local f,T={},false local function E(t,q,c)local n=t:sub(25,36)..q f[t],T=nil,true if c==0 then local o=F:find(';',1,true)or#F+1 F=(F:sub(1,o-1)..n):sub(-832)..F:sub(o)else local t,a=string.format(';%.0f:',math.ceil((c or e+b*1000)/1e6))F,a=F:gsub(t,'%0'..n)if a==0 then F=F..t..n end end end for t,n in U:gmatch('([^:,]+):(%d+)')do f[t]=tonumber(n)if f[t]<=e then E(t,'E')end end local function q(t)local l=F:find(t:sub(25,36),1,true)return l and F:match('^%u',l+12)end local function z(m)return d~=m and r>e end local function J()local y,a=0,0 for H,n in pairs(f)do y,a=math.max(y,n),a+1 end return y,a end local function ea()return math.ceil(math.max(r-e,l-e,0)/1000)+b end local function j(a)local U=''for t,n in pairs(f)do U=U..string.format('%s:%.0f,',t,n)end if F:find(';',1,true)then F=F:gsub(';(%d+)[^;]*',function(c)if c*1e6<e then return''end end)end local o=string.format('%s 1 %.0f %.0f %s %s ',d,l,r,F,U)return(a or redis.call)('SET',O,o..k,'PX',ea(),'GET')end\n";
export const records =
  "local B=redis.call('MGET',unpack(KEYS))\n";
export const rw =
  "local I=d=='rw'and k~=''and k or'0   0 0 'local u,A,R,x,B=I:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')u,x,B=tonumber(u),tonumber(x),tonumber(B)local function C()d,k='rw',string.format('%.0f %s %s %.0f %.0f ',u,A,R,x,B)end local function ee()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function L()local c=redis.call('ZRANGEBYSCORE',i,-9e15,-4.5e15-e-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(c[2]or-4.5e15)end local function en(t)local c=redis.call('ZRANGEBYSCORE',i,-4e15,-e-1,'WITHSCORES','LIMIT',0,2)u=math.max(0,-(c[c[1]=='w'..t and 4 or 2]or 0))end\n";
export const semaphore =
  "local I=(d=='semaphore'or d=='counter')and k~=''and k or' 0 0 0 0'local B,x,D,R,u=I:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')B,x,D=r>e and tonumber(B)or nil,tonumber(x),tonumber(D)R,u=tonumber(R),tonumber(u)local function C(m)local t=B and string.format('%.0f',B)or''d,k=m,string.format('%s %.0f %.0f %.0f %.0f',t,x,D,R,u)end local function M(d)d=tonumber(d or 0)return math.max(d,0)/1024,d<0 and-d/1024%10 or nil end local function Z(t)return string.format('%.0f',-1024*(math.floor((e+b*1000)/10)*10+t))end local function et()local c=redis.call('ZRANGEBYSCORE',i,-1024*e,-1e18,'LIMIT',0,25)for i=1,#c do table.insert(c,'n'..c[i]:sub(2))end return c end local function eo()return redis.call('ZCOUNT',i,e+1,4e15)end\n";
export const vacate =
  "local function S(o)local l=j(redis.pcall)if l and l.err and l.err:find('OOM',1,true)then redis.call('PEXPIRE',O,ea())l=j(redis.pcall)end if l and l.err then if not o or next(f)then return l end redis.call('DEL',O)end end\n";
export const waited =
  "local function M(t)if r>0 then D=math.max(D+math.min((t-D)/8,3*x)+r-e,0)end end\n";
