// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, last_end, last_end_besides, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local t=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + members + requests + last_end + semaphore + last_end_besides + "local ap,aj,ao=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=ap or ARGV[1],tonumber(ARGV[2])local k,U=b:sub(1,36),aj or ARGV[1]:sub(1,36)local r,l=g==0,h=='semaphore'or h=='counter'local p=v(k)if not l and h~='none'then if r then return p and{'closed',a}or Y(k,ARGV[4]+0)end return{'lost',a,R(k,g)}end local j,P,c=ab(b),{},0 local L,M={'t'..k,'t'..U},{}for i in(ao or''):gmatch('%d+')do P[tonumber(i)],c=true,c+1 end for i,b in ipairs(j)do L[i+2]=b end local y=redis.call('ZMSCORE',i,unpack(L))local ac=V(y[1])local E,o,ak=V(y[2])local d,F=0,o and ar(o)for i,b in ipairs(j)do local c=tonumber(y[i+2]or 0)if c>a then d=d+1 if P[i]then table.insert(M,b)end elseif c>0 then F=F or ae(c)end end local z=aj and d-c or 0 if r and o==1 and h=='counter'then if D and ak-ARGV[3]*1000+10>=S then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,n)end D,n=math.min(D+a,9007199254740991),math.max(n-a,0)end o=nil end o=o or not aj and p and 3 or nil if not o and(r or d>0 and ac==g and#M==c)then o=1 local q={af(r and 3 or 1),'t'..U}if z==0 then M=j local o=k..(b:match('@.*')or'')table.insert(M,'p'..o)table.insert(M,'w'..o)q[3],q[4]=q[1],'t'..k if d>0 and not r then local b=a-g B=math.max(B==0 and b or B+(b-B)/8,0)end end if h=='none'then e=ah(M)if e>0 then G('semaphore')end elseif h=='semaphore'and not D then e=math.min(e,math.max(a,ah(M),n))end if l then G(h)end for E,b in ipairs(ag())do table.insert(M,b)end redis.call('ZREM',i,unpack(M))local u=C(redis.pcall('ZADD',i,unpack(q)))if u and d==0 then return u end u=C(O(redis.pcall))or C(x(redis.pcall))if u and d==0 then redis.call('ZREM',i,'t'..U)if y[2]then redis.call('ZADD',i,y[2],'t'..U)end return u end end if r or o==1 then return{'closed',a}end return{'lost',a,R(k,math.huge,F)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["24c76c2c94686aadee73f79f55aa9e49cdb2e2db", "fad4bb0e5558c851be481a12bdffde287c286e0a"];
