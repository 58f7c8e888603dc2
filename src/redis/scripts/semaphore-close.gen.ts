// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, last_end, last_end_besides, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local s=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + members + requests + last_end + semaphore + last_end_besides + "local ap,aj,ao=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=ap or ARGV[1],tonumber(ARGV[2])local k,U=b:sub(1,36),aj or ARGV[1]:sub(1,36)local q,l=g==0,h=='semaphore'or h=='counter'local p=v(k)if not l and h~='none'then if q then return p and{'closed',a}or Y(k,ARGV[4]+0)end return{'lost',a,R(k,g)}end local j,P,c=ab(b),{},0 local L,M={'t'..k,'t'..U},{}for i in(ao or''):gmatch('%d+')do P[tonumber(i)],c=true,c+1 end for i,b in ipairs(j)do L[i+2]=b end local y=redis.call('ZMSCORE',i,unpack(L))local ac=V(y[1])local E,o,ak=V(y[2])local d,F=0,o and ar(o)for i,b in ipairs(j)do local c=tonumber(y[i+2]or 0)if c>a then d=d+1 if P[i]then table.insert(M,b)end elseif c>0 then F=F or ae(c)end end local z=aj and d-c or 0 if q and o==1 and h=='counter'then if D and ak-ARGV[3]*1000+10>=S then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,n)end D,n=math.min(D+a,9007199254740991),math.max(n-a,0)end o=nil end o=o or not aj and p and 3 or nil if not o and(q or d>0 and ac==g and#M==c)then o=1 local m={af(q and 3 or 1),'t'..U}if z==0 then M=j local o=k..(b:match('@.*')or'')table.insert(M,'p'..o)table.insert(M,'w'..o)m[3],m[4]=m[1],'t'..k if d>0 and not q then local b=a-g B=math.max(B==0 and b or B+(b-B)/8,0)end end if h=='none'then e=ah(M)if e>0 then G('semaphore')end elseif h=='semaphore'and not D then e=math.min(e,math.max(a,ah(M),n))end if l then G(h)end for E,b in ipairs(ag())do table.insert(M,b)end redis.call('ZREM',i,unpack(M))local t=C(redis.pcall('ZADD',i,unpack(m)))if t and d==0 then return t end t=C(O(redis.pcall))or C(x(redis.pcall))if t and d==0 then redis.call('ZREM',i,'t'..U)if y[2]then redis.call('ZADD',i,y[2],'t'..U)end return t end end if q or o==1 then return{'closed',a}end return{'lost',a,R(k,math.huge,F)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["db109668cce67533e738640a24ade71d7996ec3c", "cfbb6c8ed0f6b848f86c08802bad3b5249601ab8"];
