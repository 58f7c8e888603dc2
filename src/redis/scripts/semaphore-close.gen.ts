// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local q=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + members + requests + semaphore + "local am,af,al=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,e=am or ARGV[1],tonumber(ARGV[2])local j,aj=b:sub(1,36),af or ARGV[1]:sub(1,36)local p,k=e==0,h=='semaphore'or h=='counter'local o=u(j)if not k and h~='none'then if p then return o and{'closed',a}or Y(j,ARGV[4]+0)end return{'lost',a,P(j,e)}end local m,N,c=ab(b),{},0 local K,Q={'t'..j,'t'..aj},{}for i in(al or''):gmatch('%d+')do N[tonumber(i)],c=true,c+1 end for i,d in ipairs(m)do K[i+2]=d end local v=redis.call('ZMSCORE',i,unpack(K))local d=T(v[1])local E,t,ah=T(v[2])local G,I=0,t and ap(t)for i,d in ipairs(m)do local c=tonumber(v[i+2]or 0)if c>a then G=G+1 if N[i]then table.insert(Q,d)end elseif c>0 then I=I or aa(c)end end local y=af and G-c or 0 if p and t==1 and h=='counter'then if B and ah-ARGV[3]*1000+10>=S then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,n)end B,n=math.min(B+a,9007199254740991),math.max(n-a,0)end t=nil end t=t or not af and o and 3 or nil if not t and(p or G>0 and d==e and#Q==c)then t=1 local l={ac(p and 3 or 1),'t'..aj}if y==0 then Q=m for c in('tpw'):gmatch('.')do table.insert(Q,c..j)end l[3],l[4]=l[1],'t'..j if G>0 and not p then local b=a-e w=math.max(w==0 and b or w+(b-w)/8,0)end end for E,d in ipairs(ae())do table.insert(Q,d)end redis.call('ZREM',i,unpack(Q))local c=redis.pcall('ZADD',i,unpack(l))if h=='semaphore'and not B then local m=redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)g=math.min(g,math.max(a,m[2]or 0,n))end if k then D(h)end O()local b=x(redis.pcall)if G==0 then for E,c in ipairs({c,b})do if type(c)=='table'and c.err then return c end end end end if p or t==1 then return{'closed',a}end return{'lost',a,P(j,math.huge,I)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["353b17164bb6ffb89c9a9e31839a90d56fbb2193", "a5a5a1e36dce9865362fd6d57604e14eb7cec700"];
