// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local q=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + members + requests + semaphore + "local am,ae,al=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,d=am or ARGV[1],tonumber(ARGV[2])local j,aj=b:sub(1,36),ae or ARGV[1]:sub(1,36)local p,k=d==0,h=='semaphore'or h=='counter'local o=t(j)if not k and h~='none'then if p then return o and{'closed',a}or W(j,ARGV[4]+0)end return{'lost',a,O(j,d)}end local m,M,c=aa(b),{},0 local J,P={'t'..j,'t'..aj},{}for i in(al or''):gmatch('%d+')do M[tonumber(i)],c=true,c+1 end for i,d in ipairs(m)do J[i+2]=d end local u=redis.call('ZMSCORE',i,unpack(J))local ad=S(u[1])local E,x,ag=S(u[2])local f,H=0,x and ap(x)for i,d in ipairs(m)do local c=tonumber(u[i+2]or 0)if c>a then f=f+1 if M[i]then table.insert(P,d)end elseif c>0 then H=H or Z(c)end end local y=ae and f-c or 0 if p and x==1 and h=='counter'then if B and ag-ARGV[3]*1000+10>=R then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,n)end B,n=math.min(B+a,9007199254740991),math.max(n-a,0)end x=nil end x=x or not ae and o and 3 or nil if not x and(p or f>0 and ad==d and#P==c)then x=1 local l={ab(p and 3 or 1),'t'..aj}if y==0 then P=m for c in('tpw'):gmatch('.')do table.insert(P,c..j)end l[3],l[4]=l[1],'t'..j if f>0 and not p then local b=a-d v=math.max(v==0 and b or v+(b-v)/8,0)end end for E,d in ipairs(ac())do table.insert(P,d)end redis.call('ZREM',i,unpack(P))local c=redis.pcall('ZADD',i,unpack(l))if h=='semaphore'and not B then local m=redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)g=math.min(g,math.max(a,m[2]or 0,n))end if k then D(h)end N()local b=w(redis.pcall)if f==0 then for E,c in ipairs({c,b})do if type(c)=='table'and c.err then return c end end end end if p or x==1 then return{'closed',a}end return{'lost',a,O(j,math.huge,H)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["701afd428957639a154be48e3b73b5cd6846c5e4", "dcfad8cda7062d6e8d13219bd4f6f29571ef3758"];
