// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local r=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + members + requests + semaphore + "local am,Z,ak=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,e=am or ARGV[1],tonumber(ARGV[2])local j,ai=b:sub(1,36),Z or ARGV[1]:sub(1,36)local q,k=e==0,h=='semaphore'or h=='counter'local p=u(j)if not k and h~='none'then if q then return p and{'closed',a}or X(j,ARGV[4]+0)end return{'lost',a,O(j,e)}end local n,M,c=ac(b),{},0 local J,P={'t'..j,'t'..ai},{}for i in(ak or''):gmatch('%d+')do M[tonumber(i)],c=true,c+1 end for i,b in ipairs(n)do J[i+2]=b end local v=redis.call('ZMSCORE',i,unpack(J))local R=T(v[1])local C,o,ag=T(v[2])local d,H=0,o and aq(o)for i,b in ipairs(n)do local c=tonumber(v[i+2]or 0)if c>a then d=d+1 if M[i]then table.insert(P,b)end elseif c>0 then H=H or ab(c)end end local y=Z and d-c or 0 if q and o==1 and h=='counter'then if D and ag-ARGV[3]*1000+10>=S then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,l)end D,l=math.min(D+a,9007199254740991),math.max(l-a,0)end o=nil end o=o or not Z and p and 3 or nil if not o and(q or d>0 and R==e and#P==c)then o=1 local m={ad(q and 3 or 1),'t'..ai}if y==0 then P=n local o=j..(b:match('@.*')or'')for C,b in ipairs({'t'..j,'p'..o,'w'..o})do table.insert(P,b)end m[3],m[4]=m[1],'t'..j if d>0 and not q then local b=a-e w=math.max(w==0 and b or w+(b-w)/8,0)end end for C,b in ipairs(af())do table.insert(P,b)end redis.call('ZREM',i,unpack(P))local c=redis.pcall('ZADD',i,unpack(m))if h=='semaphore'and not D then local n=redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)g=math.min(g,math.max(a,n[2]or 0,l))end if k then E(h)end N()local f=x(redis.pcall)if d==0 then for C,c in ipairs({c,f})do if type(c)=='table'and c.err then return c end end end end if q or o==1 then return{'closed',a}end return{'lost',a,O(j,math.huge,H)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["eacf4348afa112fe90cc17e5bbc766d1597e85ca", "31933d694f3fd399e734bb1865d5a22b32fbb877"];
