// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, last_end, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local s=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + members + requests + last_end + semaphore + "local ao,ab,al=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=ao or ARGV[1],tonumber(ARGV[2])local j,aj=b:sub(1,36),ab or ARGV[1]:sub(1,36)local q,k=g==0,h=='semaphore'or h=='counter'local p=u(j)if not k and h~='none'then if q then return p and{'closed',a}or W(j,ARGV[4]+0)end return{'lost',a,P(j,g)}end local n,M,c=ad(b),{},0 local J,Q={'t'..j,'t'..aj},{}for i in(al or''):gmatch('%d+')do M[tonumber(i)],c=true,c+1 end for i,b in ipairs(n)do J[i+2]=b end local w=redis.call('ZMSCORE',i,unpack(J))local S=U(w[1])local C,o,ai=U(w[2])local d,E=0,o and ar(o)for i,b in ipairs(n)do local c=tonumber(w[i+2]or 0)if c>a then d=d+1 if M[i]then table.insert(Q,b)end elseif c>0 then E=E or aa(c)end end local z=ab and d-c or 0 if q and o==1 and h=='counter'then if D and ai-ARGV[3]*1000+10>=T then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,m)end D,m=math.min(D+a,9007199254740991),math.max(m-a,0)end o=nil end o=o or not ab and p and 3 or nil if not o and(q or d>0 and S==g and#Q==c)then o=1 local l={ae(q and 3 or 1),'t'..aj}if z==0 then Q=n local o=j..(b:match('@.*')or'')for C,b in ipairs({'t'..j,'p'..o,'w'..o})do table.insert(Q,b)end l[3],l[4]=l[1],'t'..j if d>0 and not q then local b=a-g x=math.max(x==0 and b or x+(b-x)/8,0)end end for C,b in ipairs(ag())do table.insert(Q,b)end redis.call('ZREM',i,unpack(Q))local c=redis.pcall('ZADD',i,unpack(l))if h=='none'then e=V()if e>0 then F('semaphore')end elseif h=='semaphore'and not D then e=math.min(e,math.max(a,V(),m))end if k then F(h)end N()local f=v(redis.pcall)if d==0 then for C,c in ipairs({c,f})do if type(c)=='table'and c.err then return c end end end end if q or o==1 then return{'closed',a}end return{'lost',a,P(j,math.huge,E)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["497be46fd6be8532d066a03ebe1f7d40ee83dec1", "eb4f9f49aa2f2c646ffa64b48e9ee53f1f522ba5"];
