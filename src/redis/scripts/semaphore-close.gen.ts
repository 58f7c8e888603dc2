// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, failed, keep, last_end, last_end_besides, listen, members, read_name, record, requests, semaphore, vacate, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local w=math.max(ARGV[3],math.ceil(((tonumber(ARGV[4])or 0)-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + members + requests + last_end + semaphore + last_end_besides + listen + wake + wake_head + "local ay,aa,ax=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,f=ay or ARGV[1],tonumber(ARGV[2])local k,e=b:sub(1,36),aa or ARGV[1]:sub(1,36)local u,m=f==0,j=='semaphore'or j=='counter'local t=x(k)if not m and j~='none'then if u then return t and{'closed',a}or Y(k,ARGV[4]+0)end return{'lost',a,U(k,f)}end local n,Q,c=ag(b),{},0 local L,P={'t'..k,'t'..e},{}for i in(ax or''):gmatch('%d+')do Q[tonumber(i)],c=true,c+1 end for i,b in ipairs(n)do L[i+2]=b end local z=redis.call('ZMSCORE',d,unpack(L))local aj=ad(z[1])local C,r,i=ad(z[2])local G,q=0,r and av(r)for i,b in ipairs(n)do local c=tonumber(z[i+2]or 0)if c>a then G=G+1 if Q[i]then table.insert(P,b)end elseif c>0 then q=q or ak(c)end end local A,ar=aa and G-c or 0,0 if u and r==1 and j=='counter'then if J and i-ARGV[3]*1000+10>=W then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,p)end ar=a J,p=math.min(J+a,9007199254740991),math.max(p-a,0)end r=nil end r=r or not aa and t and 3 or nil if not r and(u or G>0 and aj==f and#P==c)then r=1 local q={am(u and 3 or 1),'t'..e}if A==0 then P=n local r=k..(b:match('@.*')or'')table.insert(P,'p'..r)table.insert(P,'w'..r)q[3],q[4]=q[1],'t'..k if G>0 and not u then local b=a-f F=math.max(F==0 and b or F+(b-F)/8,0)end end if j=='none'then h=an(P)if h>0 then H('semaphore')end elseif j=='semaphore'and not J then h=math.min(h,math.max(a,an(P),p))end if m then H(j)end for C,b in ipairs(aq())do table.insert(P,b)end redis.call('ZREM',d,unpack(P))local i=B(redis.pcall('ZADD',d,unpack(q)))if i and G==0 then return i end X(k)if j=='semaphore'and p>a then ai(0)else ac(math.max(ar,G-A))end i=B(V(redis.pcall))or B(s(redis.pcall))if i and G==0 then redis.call('ZREM',d,'t'..e)if z[2]then redis.call('ZADD',d,z[2],'t'..e)end return i end end if u or r==1 then return{'closed',a}end return{'lost',a,U(k,math.huge,q)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["24e0608048278fc53976d3c6e7bf927ee2e2bb14", "13103ed0dc4580e0cfa6d84c2bc16b56eea88b3f"];
