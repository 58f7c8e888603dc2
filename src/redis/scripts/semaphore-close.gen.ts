// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, last_end, last_end_besides, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local t=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + members + requests + last_end + semaphore + last_end_besides + "local ap,aj,ao=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,h=ap or ARGV[1],tonumber(ARGV[2])local l,U=b:sub(1,36),aj or ARGV[1]:sub(1,36)local r,m=h==0,i=='semaphore'or i=='counter'local p=v(l)if not m and i~='none'then if r then return p and{'closed',a}or Y(l,ARGV[4]+0)end return{'lost',a,R(l,h)}end local k,P,c=ab(b),{},0 local L,M={'t'..l,'t'..U},{}for j in(ao or''):gmatch('%d+')do P[tonumber(j)],c=true,c+1 end for j,b in ipairs(k)do L[j+2]=b end local y=redis.call('ZMSCORE',d,unpack(L))local ac=V(y[1])local E,o,ak=V(y[2])local e,F=0,o and ar(o)for j,b in ipairs(k)do local c=tonumber(y[j+2]or 0)if c>a then e=e+1 if P[j]then table.insert(M,b)end elseif c>0 then F=F or ae(c)end end local A=aj and e-c or 0 if r and o==1 and i=='counter'then if D and ak-ARGV[3]*1000+10>=S then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,j)end D,j=math.min(D+a,9007199254740991),math.max(j-a,0)end o=nil end o=o or not aj and p and 3 or nil if not o and(r or e>0 and ac==h and#M==c)then o=1 local q={af(r and 3 or 1),'t'..U}if A==0 then M=k local o=l..(b:match('@.*')or'')table.insert(M,'p'..o)table.insert(M,'w'..o)q[3],q[4]=q[1],'t'..l if e>0 and not r then local b=a-h z=math.max(z==0 and b or z+(b-z)/8,0)end end if i=='none'then f=ah(M)if f>0 then G('semaphore')end elseif i=='semaphore'and not D then f=math.min(f,math.max(a,ah(M),j))end if m then G(i)end for E,b in ipairs(ag())do table.insert(M,b)end redis.call('ZREM',d,unpack(M))local u=C(redis.pcall('ZADD',d,unpack(q)))if u and e==0 then return u end u=C(O(redis.pcall))or C(x(redis.pcall))if u and e==0 then redis.call('ZREM',d,'t'..U)if y[2]then redis.call('ZADD',d,y[2],'t'..U)end return u end end if r or o==1 then return{'closed',a}end return{'lost',a,R(l,math.huge,F)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["a768d531427aa2e5ed3c6af041956f97278be689", "f14525ed14e111430454745c1e2523c82cae389b"];
