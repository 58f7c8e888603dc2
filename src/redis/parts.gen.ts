// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const clock =
  "local bO=redis.call('TIME')local a=bO[1]*1000000+bO[2]";
export const crowd =
  "local k=KEYS[2]local function bc(bg)local j=redis.call('ZRANGEBYSCORE',k,-a,a,'LIMIT',0,bg)for p=1,math.min(#j,8)do local b=j[p]:match('^%x.+')and j[p]:sub(1,36)if b and not v(b)then A(b,'e')end end return j end local function aR(b)local l,B=b:match('^(.+)#(%d+)$')local j={not l and b or nil}for p=1,math.min(B or 0,1000)do j[p]=l..'#'..p end return j end local function S(Q)redis.call('PEXPIRE',k,bQ(Q))end";
export const elsewhere =
  "local function aN(b,Q)if i==math.huge then return{'lost',a,'gone'}end A(b,'c')return aw(Q,true)or{'closed',a}end";
export const ending =
  "local ca={r='released',c='released',e='expired',f='forced'}local function ah(b,f)local Y=v(b)if g>f and(not Y or Y=='e')then return'taken'end return ca[Y]or'gone'end";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end";
export const latch =
  "local br=m=='latch'and i>a local s,aT,aK=(br and z or'0 0 0'):match('^(%d+) (%d+) (%d+)$')s,aT,aK=tonumber(s),tonumber(aT),tonumber(aK)local function y()m,z='latch',string.format('%.0f %.0f %.0f',s,aT,aK)end";
export const lock =
  "local aJ=m==o and z~=''and z or'  0 0'local Z,aB,t,C=aJ:match('^(%S*) (%S*) (%d+) (%d+)$')t,C=tonumber(t),tonumber(C)local function y()m,z=o,string.format('%s %s %.0f %.0f',Z,aB,t,C)end local function bT(bP)t=math.max(t==0 and bP or t+(bP-t)/8,0)end";
export const once =
  "local V,ad,H,aW=0,'','',''if m=='once'and i>a then V,ad,H,aW=z:match('^(%d+) (%S*) (%S*) (.*)$')V=tonumber(V)end local function y()m,z='once',table.concat({string.format('%.0f',V),ad,H,aW},' ')end";
export const one =
  "local aj=KEYS[1]local au=redis.call('GET',aj)";
export const permits =
  "local function bs(bg)local j=bc(bg)for p=1,#j do local af=j[p]:match('^w(.+)')local bv=af and'p'..af or't'..j[p]:sub(1,36)if j[#j]~=bv then table.insert(j,bv)end end return j end local function bH()return unpack(redis.call('ZRANGEBYSCORE',k,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function ax(b,f)local c,e=0,0 for P,E in ipairs(redis.call('ZMSCORE',k,unpack(aR(b))))do E=tonumber(E or 0)if E>a then c,e=E,e+1 end end if e>0 then return{'granted',a,f,c-a,e}end end local function bf(b,T,N,o,ci,ck,Q)g=math.max(g+1,a)local c,O=a+ci*1000,{string.format('%.0f',g*1024),'t'..b:sub(1,36)}if o=='counter'then c,O[1]=0,bm(1,Q)else for P,x in ipairs(aR(b))do table.insert(O,string.format('%.0f',c))table.insert(O,x)end end i=math.max(i,c,B and a+ck*1000 or 0)if m~=o and m~='none'then redis.call('UNLINK',k)end redis.call('ZADD',k,unpack(O))if#N>0 then redis.call('ZREM',k,unpack(N))end y(o)S(Q)w(Q)return{'granted',a,g,(c>0 and c or i)-a,T}end";
export const queue =
  "local ai,cb=20000,2000000 local function bZ(j,bW)local aM={}for P,x in ipairs(j)do local bu=x:match('^w(.+)')if bu~=bW then table.insert(aM,x)if bu then table.insert(aM,'p'..bu)end end end if aM[1]then redis.call('ZREM',k,unpack(aM))end end local function cq(af)local E=tonumber(redis.call('ZSCORE',k,'p'..af)or nil)return E and E-4.5e15,redis.call('ZCOUNT',k,4.5e15,string.format('(%.0f',E or 7e15))end local function bw(ag,bS,ao,s)local bI=bS-ao local L=math.min(math.max(ai,bI/4,-bI/16),10*ai)+math.max(ag-1,0)*0.7*(bS+0.8*ai)return math.floor(math.min(L,cb,ag>0 and L or s+1000))end local function bE(af,X,L,ce)local by=a+L+ce*1000 i=math.max(i,by)redis.call('ZADD',k,'LT',-by,'w'..af,X+4.5e15,'p'..af)end local function bD(af)redis.call('ZREM',k,'p'..af,'w'..af)end local function cr()return-(redis.call('ZRANGEBYSCORE',k,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function bU()return redis.call('ZCOUNT',k,-4e15,string.format('(%.0f',-a))end";
export const record =
  "au=au or'none 1 0 0   'local m,g,i,ay,aC,z=au:match('^(%a+) 1 (%d+) (%d+) (%S*) (%S*) (.*)$')if not m then local bG,ct=au:match('^(%a+) (%d+) ')m=bG and bG..'/'..ct or'foreign'g,i,ay,aC,z=0,math.huge,'','',''end g,i=tonumber(g),tonumber(i)local n,aH={},false local function A(b,v)ay=(ay..b..v):sub(-592)n[b]=nil aH=true end for b,c in aC:gmatch('([^:,]+):(%d+)')do n[b]=tonumber(c)if n[b]<=a then A(b,'e')end end local function v(b)local aZ=ay:find(b,1,true)return aZ and ay:sub(aZ+36,aZ+36)end local function F(o)return m~=o and i>a end local function ae()local I,e=0,0 for P,c in pairs(n)do I,e=math.max(I,c),e+1 end return I,e end local function bQ(Q)return math.ceil(math.max(i-a,g-a,0)/1000)+Q end local function w(Q,h)local aC=''for b,c in pairs(n)do aC=aC..string.format('%s:%.0f,',b,c)end local cs=string.format('%s 1 %.0f %.0f %s %s ',m,g,i,ay,aC)return(h or redis.call)('SET',aj,cs..z,'PX',bQ(Q),'GET')end";
export const records =
  "local aU=redis.call('MGET',unpack(KEYS))";
export const rw =
  "local aJ=m=='rw'and z~=''and z or'0   0 0 'local D,Z,aB,U,am=aJ:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')D,U,am=tonumber(D),tonumber(U),tonumber(am)local function y()m,z='rw',string.format('%.0f %s %s %.0f %.0f ',D,Z,aB,U,am)end local function aV()return tonumber(redis.call('ZREVRANGEBYSCORE',k,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function aa()local j=redis.call('ZRANGEBYSCORE',k,-9e15,-4.5e15-a-1,'WITHSCORES','LIMIT',0,1)return-4.5e15-(j[2]or-4.5e15)end local function bR(b)local j=redis.call('ZRANGEBYSCORE',k,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)D=math.max(0,-(j[j[1]=='w'..b and 4 or 2]or 0))end local function bJ()local j=redis.call('ZRANGEBYSCORE',k,a+1,4e15,'LIMIT',0,15)for P,ac in ipairs(j)do A(ac:sub(1,36),'f')end return#j>0 end";
export const semaphore =
  "local aJ=(m=='semaphore'or m=='counter')and z~=''and z or' 0 0 0 0'local B,t,C,at,D=aJ:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')B,t,C=i>a and tonumber(B)or nil,tonumber(t),tonumber(C)at,D=tonumber(at),tonumber(D)local function y(o)local co=B and string.format('%.0f',B)or''m,z=o,string.format('%s %.0f %.0f %.0f %.0f',co,t,C,at,D)end local function aE(E)E=tonumber(E or 0)return math.max(E,0)/1024,E<0 and-E/1024%10 or nil end local function bm(cv,Q)return string.format('%.0f',-1024*(math.floor((a+Q*1000)/10)*10+cv))end local function be()local j=redis.call('ZRANGEBYSCORE',k,-1024*a,-1e18,'LIMIT',0,25)for p=1,#j do table.insert(j,'n'..j[p]:sub(2))end return j end local function bt()return redis.call('ZCOUNT',k,a+1,4e15)end";
export const vacate =
  "local function aw(Q,S)local W=w(Q,redis.pcall)if W and W.err then if S or next(n)then return W end redis.call('DEL',aj)end end";
