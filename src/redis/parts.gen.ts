// Generated from lua/include/ by tools/build-lua.ts; do not edit.
export const clock =
  "local ar=redis.call('TIME')local a=ar[1]*1000000+ar[2]";
export const crowd =
  "local t=KEYS[2]local function aK(aB)local A=redis.call('ZRANGEBYSCORE',t,-a,a,'LIMIT',0,aB)for D,ao in ipairs(A)do local b=ao:match('^%x.+')and ao:sub(1,36)if b and not m(b)then r(b,'e')end end return A end local function aF(b)local B,aG=b:match('^(.+)#(%d+)$')local A={not B and b or nil}for o=1,aG or 0 do A[o]=B..'#'..o end return A end local function af(x)redis.call('PEXPIRE',t,at(x))end";
export const elsewhere =
  "local function aw(b,x)if f==math.huge then return{'lost',a,'gone'}end r(b,'c')return aa(x,true)or{'closed',a}end";
export const ending =
  "local ax={r='released',c='released',e='expired',f='forced'}local function P(b,e)local ai=m(b)if d>e and(not ai or ai=='e')then return'taken'end return ax[ai]or'gone'end";
export const fresh =
  "if a>tonumber(ARGV[1])then return{'late',a}end";
export const lock =
  "local aA=k=='lock'and q~=''and q or'  0 0'local aj,an,y,H=aA:match('^(%S*) (%S*) (%d+) (%d+)$')y,H=tonumber(y),tonumber(H)local function N()k,q='lock',string.format('%s %s %.0f %.0f',aj,an,y,H)end";
export const once =
  "local l,R,O,Y=0,'','',''if k=='once'and f>a then l,R,O,Y=q:match('^(%d+) (%S*) (%S*) (.*)$')l=tonumber(l)end local function N()k,q='once',table.concat({string.format('%.0f',l),R,O,Y},' ')end";
export const one =
  "local u=KEYS[1]local C=redis.call('GET',u)";
export const record =
  "C=C or'none 1 0 0   'local k,d,f,K,L,q=C:match('^(%a+) 1 (%d+) (%d+) (%S*) (%S*) (.*)$')if not k then local ap,aI=C:match('^(%a+) (%d+) ')k=ap and ap..'/'..aI or'foreign'd,f,K,L,q=0,math.huge,'','',''end d,f=tonumber(d),tonumber(f)local h,T={},false local function r(b,m)K=(K..b..m):sub(-592)h[b]=nil T=true end for b,c in L:gmatch('([^:,]+):(%d+)')do h[b]=tonumber(c)if h[b]<=a then r(b,'e')end end local function m(b)local ac=K:find(b,1,true)return ac and K:sub(ac+36,ac+36)end local function J(X)return k~=X and f>a end local function S()local E,g=0,0 for D,c in pairs(h)do E,g=math.max(E,c),g+1 end return E,g end local function at(x)return math.ceil(math.max(f-a,d-a,0)/1000)+x end local function p(x,j)local L=''for b,c in pairs(h)do L=L..string.format('%s:%.0f,',b,c)end local aH=string.format('%s 1 %.0f %.0f %s %s ',k,d,f,K,L)return(j or redis.call)('SET',u,aH..q,'PX',at(x),'GET')end";
export const records =
  "local al=redis.call('MGET',unpack(KEYS))";
export const vacate =
  "local function aa(x,af)local I=p(x,redis.pcall)if I and I.err then if af or next(h)then return I end redis.call('DEL',u)end end";
