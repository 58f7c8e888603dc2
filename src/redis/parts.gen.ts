// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const clock =
  "local bO=redis.call('TIME')local a=bO[1]*1000000+bO[2]";
export const crowd =
  "local j=KEYS[2]local function be(bi)local k=redis.call('ZRANGEBYSCORE',j,-a,a,'LIMIT',0,bi)for p=1,math.min(#k,8)do local b=k[p]:match('^%x.+')and k[p]:sub(1,36)if b and not v(b)then B(b,'e')end end return k end local function aS(b)local l,w=b:match('^(.+)#(%d+)$')local k={not l and b or nil}for p=1,math.min(w or 0,1000)do k[p]=l..'#'..p end return k end local function S(Q)redis.call('PEXPIRE',j,bQ(Q))end";
export const elsewhere =
  "local function aO(b,Q)if i==math.huge then return{'lost',a,'gone'}end B(b,'c')return ay(Q,true)or{'closed',a}end";
export const ending =
  "local ca={r='released',c='released',e='expired',f='forced'}local function aj(b,f)local aa=v(b)if g>f and(not aa or aa=='e')then return'taken'end return ca[aa]or'gone'end";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end";
export const latch =
  "local bs=m=='latch'and i>a local s,aU,aL=(bs and A or'0 0 0'):match('^(%d+) (%d+) (%d+)$')s,aU,aL=tonumber(s),tonumber(aU),tonumber(aL)local function z()m,A='latch',string.format('%.0f %.0f %.0f',s,aU,aL)end";
export const lock =
  "local aK=m==n and A~=''and A or'  0 0'local ab,aE,u,C=aK:match('^(%S*) (%S*) (%d+) (%d+)$')u,C=tonumber(u),tonumber(C)local function z()m,A=n,string.format('%s %s %.0f %.0f',ab,aE,u,C)end local function bT(bP)u=math.max(u==0 and bP or u+(bP-u)/8,0)end";
export const once =
  "local V,W,H,aY=0,'','',''if m=='once'and i>a then V,W,H,aY=A:match('^(%d+) (%S*) (%S*) (.*)$')V=tonumber(V)end local function z()m,A='once',table.concat({string.format('%.0f',V),W,H,aY},' ')end";
export const one =
  "local al=KEYS[1]local aw=redis.call('GET',al)";
export const permits =
  "local function bt(bi,Q)local k,X=be(bi),{}for p=1,#k do local ah,W=k[p]:match('^w(.+)'),'t'..k[p]:sub(1,36)if ah then table.insert(k,'p'..ah)elseif X[#X]~=W then table.insert(X,aX(3,Q))table.insert(X,W)end end return k,X end local function bH()return unpack(redis.call('ZRANGEBYSCORE',j,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function az(b,f)local c,e=0,0 for P,E in ipairs(redis.call('ZMSCORE',j,unpack(aS(b))))do E=tonumber(E or 0)if E>a then c,e=E,e+1 end end if e>0 then return{'granted',a,f,c-a,e}end end local function bh(b,T,n,ci,ck,Q,J,X)g=math.max(g+1,a)local c,M=a+ci*1000,{string.format('%.0f',g*1024),'t'..b:sub(1,36)}if n=='counter'then c,M[1]=0,aX(1,Q)else for P,y in ipairs(aS(b))do table.insert(M,string.format('%.0f',c))table.insert(M,y)end end i=math.max(i,c,w and a+ck*1000 or 0)if m~=n and m~='none'then redis.call('UNLINK',j)J,X={},nil end for P,ar in ipairs(X or{})do table.insert(M,ar)end redis.call('ZADD',j,unpack(M))if#J>0 then redis.call('ZREM',j,unpack(J))end z(n)S(Q)x(Q)return{'granted',a,g,(c>0 and c or i)-a,T}end";
export const queue =
  "local ak,cb=20000,2000000 local function bZ(k,bW)local aN={}for P,y in ipairs(k)do local bv=y:match('^w(.+)')if bv~=bW then table.insert(aN,y)if bv then table.insert(aN,'p'..bv)end end end if aN[1]then redis.call('ZREM',j,unpack(aN))end end local function cq(ah)local E=tonumber(redis.call('ZSCORE',j,'p'..ah)or nil)return E and E-4.5e15,redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',E or 7e15))end local function bw(ai,bS,aq,s)local bI=bS-aq local N=math.min(math.max(ak,bI/4,-bI/16),10*ak)+math.max(ai-1,0)*0.7*(bS+0.8*ak)return math.floor(math.min(N,cb,ai>0 and N or s+1000))end local function bE(ah,Z,N,ce,...)local by=a+N+ce*1000 i=math.max(i,by)redis.call('ZADD',j,'LT',-by,'w'..ah,Z+4.5e15,'p'..ah,...)end local function bD(ah)redis.call('ZREM',j,'p'..ah,'w'..ah)end local function cr()return-(redis.call('ZRANGEBYSCORE',j,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function bU()return redis.call('ZCOUNT',j,-4e15,string.format('(%.0f',-a))end";
export const record =
  "aw=aw or'none 1 0 0   'local m,g,i,aB,aF,A=aw:match('^(%a+) 1 (%d+) (%d+) (%S*) (%S*) (.*)$')if not m then local bG,ct=aw:match('^(%a+) (%d+) ')m=bG and bG..'/'..ct or'foreign'g,i,aB,aF,A=0,math.huge,'','',''end g,i=tonumber(g),tonumber(i)local o,aJ={},false local function B(b,v)aB=(aB..b..v):sub(-592)o[b]=nil aJ=true end for b,c in aF:gmatch('([^:,]+):(%d+)')do o[b]=tonumber(c)if o[b]<=a then B(b,'e')end end local function v(b)local bb=aB:find(b,1,true)return bb and aB:sub(bb+36,bb+36)end local function F(n)return m~=n and i>a end local function ag()local I,e=0,0 for P,c in pairs(o)do I,e=math.max(I,c),e+1 end return I,e end local function bQ(Q)return math.ceil(math.max(i-a,g-a,0)/1000)+Q end local function x(Q,h)local aF=''for b,c in pairs(o)do aF=aF..string.format('%s:%.0f,',b,c)end local cs=string.format('%s 1 %.0f %.0f %s %s ',m,g,i,aB,aF)return(h or redis.call)('SET',al,cs..A,'PX',bQ(Q),'GET')end";
export const records =
  "local aV=redis.call('MGET',unpack(KEYS))";
export const rw =
  "local aK=m=='rw'and A~=''and A or'0   0 0 'local D,ab,aE,U,ao=aK:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')D,U,ao=tonumber(D),tonumber(U),tonumber(ao)local function z()m,A='rw',string.format('%.0f %s %s %.0f %.0f ',D,ab,aE,U,ao)end local function aW()return tonumber(redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function ac()local k=redis.call('ZRANGEBYSCORE',j,-9e15,-4.5e15-a-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(k[2]or-4.5e15)end local function bR(b)local k=redis.call('ZRANGEBYSCORE',j,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)D=math.max(0,-(k[k[1]=='w'..b and 4 or 2]or 0))end local function bJ()local k=redis.call('ZRANGEBYSCORE',j,a+1,4e15,'LIMIT',0,15)for P,ae in ipairs(k)do B(ae:sub(1,36),'f')end return#k>0 end";
export const semaphore =
  "local aK=(m=='semaphore'or m=='counter')and A~=''and A or' 0 0 0 0'local w,u,C,af,D=aK:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')w,u,C=i>a and tonumber(w)or nil,tonumber(u),tonumber(C)af,D=tonumber(af),tonumber(D)local function z(n)local co=w and string.format('%.0f',w)or''m,A=n,string.format('%s %.0f %.0f %.0f %.0f',co,u,C,af,D)end local function aH(E)E=tonumber(E or 0)return math.max(E,0)/1024,E<0 and-E/1024%10 or nil end local function aX(cv,Q)return string.format('%.0f',-1024*(math.floor((a+Q*1000)/10)*10+cv))end local function bg()local k=redis.call('ZRANGEBYSCORE',j,-1024*a,-1e18,'LIMIT',0,25)for p=1,#k do table.insert(k,'n'..k[p]:sub(2))end return k end local function bu()return redis.call('ZCOUNT',j,a+1,4e15)end";
export const vacate =
  "local function ay(Q,S)local Y=x(Q,redis.pcall)if Y and Y.err then if S or next(o)then return Y end redis.call('DEL',al)end end";
