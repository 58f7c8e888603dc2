// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local r=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + members + requests + semaphore + "local am,ae,al=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,e=am or ARGV[1],tonumber(ARGV[2])local j,aj=b:sub(1,36),ae or ARGV[1]:sub(1,36)local p,l=e==0,h=='semaphore'or h=='counter'local o=v(j)if not l and h~='none'then if p then return o and{'closed',a}or X(j,ARGV[4]+0)end return{'lost',a,P(j,e)}end local k,N,c=aa(b),{},0 local K,Q={'t'..j,'t'..aj},{}for i in(al or''):gmatch('%d+')do N[tonumber(i)],c=true,c+1 end for i,d in ipairs(k)do K[i+2]=d end local w=redis.call('ZMSCORE',i,unpack(K))local d=T(w[1])local F,q,ag=T(w[2])local H,z=0,q and an(q)for i,d in ipairs(k)do local c=tonumber(w[i+2]or 0)if c>a then H=H+1 if N[i]then table.insert(Q,d)end elseif c>0 then z=z or Z(c)end end local u=ae and H-c or 0 if p and q==1 and h=='counter'then if C and ag-ARGV[3]*1000+10>=S then local a=b:match('^%d+',36+2)C,n=math.min(C+a,9007199254740991),math.max(n-a,0)end q=nil end q=q or not ae and o and 3 or nil if not q and(p or H>0 and d==e and#Q==c)then q=1 local m={ab(p and 3 or 1),'t'..aj}if u==0 then Q=k for c in('tpw'):gmatch('.')do table.insert(Q,c..j)end m[3],m[4]=m[1],'t'..j if H>0 and not p then local b=a-e x=math.max(x==0 and b or x+(b-x)/8,0)end end for F,d in ipairs(ad())do table.insert(Q,d)end redis.call('ZREM',i,unpack(Q))local c=redis.pcall('ZADD',i,unpack(m))if h=='semaphore'and not C then local q=redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)g=math.min(g,math.max(a,q[2]or 0,n))end if l then E(h)end O()local b=y(redis.pcall)if H==0 then for F,c in ipairs({c,b})do if type(c)=='table'and c.err then return c end end end end if p or q==1 then return{'closed',a}end return{'lost',a,P(j,math.huge,z)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ecc59f1ed270a53ca1d7a40f6faac43c6bd63cbb", "57fe7c826f5550e0a356e4edec642d29c1bca3ad"];
