// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const clock =
  "local bN=redis.call('TIME')local a=bN[1]*1000000+bN[2]";
export const crowd =
  "local j=KEYS[2]local function bb(bg)local k=redis.call('ZRANGEBYSCORE',j,-a,a,'LIMIT',0,bg)for p=1,math.min(#k,8)do local b=k[p]:match('^%x.+')and k[p]:sub(1,36)if b and not v(b)then A(b,'e')end end return k end local function aQ(b)local l,B=b:match('^(.+)#(%d+)$')local k={not l and b or nil}for p=1,math.min(B or 0,1000)do k[p]=l..'#'..p end return k end local function S(Q)redis.call('PEXPIRE',j,bP(Q))end";
export const elsewhere =
  "local function aN(b,Q)if i==math.huge then return{'lost',a,'gone'}end A(b,'c')return aw(Q,true)or{'closed',a}end";
export const ending =
  "local bZ={r='released',c='released',e='expired',f='forced'}local function ah(b,f)local Y=v(b)if g>f and(not Y or Y=='e')then return'taken'end return bZ[Y]or'gone'end";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end";
export const latch =
  "local bq=m=='latch'and i>a local s,aS,aK=(bq and z or'0 0 0'):match('^(%d+) (%d+) (%d+)$')s,aS,aK=tonumber(s),tonumber(aS),tonumber(aK)local function x()m,z='latch',string.format('%.0f %.0f %.0f',s,aS,aK)end";
export const lock =
  "local aJ=m==o and z~=''and z or'  0 0'local Z,aB,t,C=aJ:match('^(%S*) (%S*) (%d+) (%d+)$')t,C=tonumber(t),tonumber(C)local function x()m,z=o,string.format('%s %s %.0f %.0f',Z,aB,t,C)end local function bS(bO)t=math.max(t==0 and bO or t+(bO-t)/8,0)end";
export const once =
  "local V,ad,F,aV=0,'','',''if m=='once'and i>a then V,ad,F,aV=z:match('^(%d+) (%S*) (%S*) (.*)$')V=tonumber(V)end local function x()m,z='once',table.concat({string.format('%.0f',V),ad,F,aV},' ')end";
export const one =
  "local aj=KEYS[1]local au=redis.call('GET',aj)";
export const permits =
  "local function br(bg)local k=bb(bg)for p=1,#k do local af=k[p]:match('^w(.+)')local bu=af and'p'..af or't'..k[p]:sub(1,36)if k[#k]~=bu then table.insert(k,bu)end end return k end local function bG()return unpack(redis.call('ZRANGEBYSCORE',j,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function ax(b,f)local c,e=0,0 for P,D in ipairs(redis.call('ZMSCORE',j,unpack(aQ(b))))do D=tonumber(D or 0)if D>a then c,e=D,e+1 end end if e>0 then return{'granted',a,f,c-a,e}end end local function bf(b,T,L,o,ch,cj,Q)g=math.max(g+1,a)local c,O=a+ch*1000,{string.format('%.0f',g*1024),'t'..b:sub(1,36)}if o=='counter'then c,O[1]=0,bm(1,Q)else for P,y in ipairs(aQ(b))do table.insert(O,string.format('%.0f',c))table.insert(O,y)end end i=math.max(i,c,B and a+cj*1000 or 0)if m~=o and m~='none'then redis.call('UNLINK',j)end redis.call('ZADD',j,unpack(O))if#L>0 then redis.call('ZREM',j,unpack(L))end x(o)S(Q)w(Q)return{'granted',a,g,(c>0 and c or i)-a,T}end";
export const queue =
  "local ai,ca=20000,2000000 local function bY(k,bV)local aM={}for P,y in ipairs(k)do local bt=y:match('^w(.+)')if bt~=bV then table.insert(aM,y)if bt then table.insert(aM,'p'..bt)end end end if aM[1]then redis.call('ZREM',j,unpack(aM))end end local function cp(af)local D=tonumber(redis.call('ZSCORE',j,'p'..af)or nil)return D and D-4.5e15,redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',D or 7e15))end local function bv(ag,bR,an,s)local bH=bR-an local J=math.min(math.max(ai,bH/4,-bH/16),10*ai)+math.max(ag-1,0)*0.7*(bR+0.8*ai)return math.floor(math.min(J,ca,ag>0 and J or s+1000))end local function bD(af,X,J,cd)local bx=a+J+cd*1000 i=math.max(i,bx)redis.call('ZADD',j,'LT',-bx,'w'..af,X+4.5e15,'p'..af)end local function bC(af)redis.call('ZREM',j,'p'..af,'w'..af)end local function cq()return-(redis.call('ZRANGEBYSCORE',j,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function bT()return redis.call('ZCOUNT',j,-4e15,string.format('(%.0f',-a))end";
export const record =
  "au=au or'none 1 0 0   'local m,g,i,ay,aC,z=au:match('^(%a+) 1 (%d+) (%d+) (%S*) (%S*) (.*)$')if not m then local bF,cs=au:match('^(%a+) (%d+) ')m=bF and bF..'/'..cs or'foreign'g,i,ay,aC,z=0,math.huge,'','',''end g,i=tonumber(g),tonumber(i)local n,aH={},false local function A(b,v)ay=(ay..b..v):sub(-592)n[b]=nil aH=true end for b,c in aC:gmatch('([^:,]+):(%d+)')do n[b]=tonumber(c)if n[b]<=a then A(b,'e')end end local function v(b)local aY=ay:find(b,1,true)return aY and ay:sub(aY+36,aY+36)end local function N(o)return m~=o and i>a end local function ae()local G,e=0,0 for P,c in pairs(n)do G,e=math.max(G,c),e+1 end return G,e end local function bP(Q)return math.ceil(math.max(i-a,g-a,0)/1000)+Q end local function w(Q,h)local aC=''for b,c in pairs(n)do aC=aC..string.format('%s:%.0f,',b,c)end local cr=string.format('%s 1 %.0f %.0f %s %s ',m,g,i,ay,aC)return(h or redis.call)('SET',aj,cr..z,'PX',bP(Q),'GET')end";
export const records =
  "local aT=redis.call('MGET',unpack(KEYS))";
export const rw =
  "local aJ=m=='rw'and z~=''and z or'0   0 0 'local M,Z,aB,U,al=aJ:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')M,U,al=tonumber(M),tonumber(U),tonumber(al)local function x()m,z='rw',string.format('%.0f %s %s %.0f %.0f ',M,Z,aB,U,al)end local function aU()return tonumber(redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function aa()local k=redis.call('ZRANGEBYSCORE',j,-9e15,-4.5e15-a-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(k[2]or-4.5e15)end local function bQ(b)local k=redis.call('ZRANGEBYSCORE',j,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)M=math.max(0,-(k[k[1]=='w'..b and 4 or 2]or 0))end local function bI()local k=redis.call('ZRANGEBYSCORE',j,a+1,4e15,'LIMIT',0,15)for P,ac in ipairs(k)do A(ac:sub(1,36),'f')end return#k>0 end";
export const semaphore =
  "local aJ=(m=='semaphore'or m=='counter')and z~=''and z or' 0 0 0 0'local B,t,C,at,M=aJ:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')B,t,C=i>a and tonumber(B)or nil,tonumber(t),tonumber(C)at,M=tonumber(at),tonumber(M)local function x(o)local cn=B and string.format('%.0f',B)or''m,z=o,string.format('%s %.0f %.0f %.0f %.0f',cn,t,C,at,M)end local function aE(D)D=tonumber(D or 0)return math.max(D,0)/1024,D<0 and-D/1024%10 or nil end local function bm(cu,Q)return string.format('%.0f',-1024*(math.floor((a+Q*1000)/10)*10+cu))end local function be()local k=redis.call('ZRANGEBYSCORE',j,-1024*a,-1e18,'LIMIT',0,25)for p=1,#k do table.insert(k,'n'..k[p]:sub(2))end return k end local function bs()return redis.call('ZCOUNT',j,a+1,4e15)end";
export const vacate =
  "local function aw(Q,S)local W=w(Q,redis.pcall)if W and W.err then if S or next(n)then return W end redis.call('DEL',aj)end end";
