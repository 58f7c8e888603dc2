// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local t=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local ah,aa,ag=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,e=ah or ARGV[1],tonumber(ARGV[2])local j,ac=b:sub(1,36),aa or ARGV[1]:sub(1,36)local p,m=e==0,h=='semaphore'or h=='counter'local o=y(j)if not m and h~='none'then if p then return o and{'closed',a}or V(j,ARGV[4]+0)end return{'lost',a,P(j,e)}end local k,M,c=Y(b),{},0 local K,Q={'t'..j,'t'..ac},{}for i in(ag or''):gmatch('%d+')do M[tonumber(i)],c=true,c+1 end for i,b in ipairs(k)do K[i+2]=b end local v=redis.call('ZMSCORE',i,unpack(K))local af=N(v[1])local H,r=N(v[2])local d,z=0,r and aj(r)for i,b in ipairs(k)do local c=tonumber(v[i+2]or 0)if c>a then d=d+1 if M[i]then table.insert(Q,b)end elseif c>0 then z=z or X(c)end end local u=aa and d-c or 0 if p and r==1 and h=='counter'then if B and-tonumber(v[2])/1024-ARGV[3]*1000+10>=R then local a=b:match('^%d+',38)B,n=math.min(B+a,2^53-1),math.max(n-a,0)end r=nil end r=r or not aa and o and 3 or nil if not r and(p or d>0 and af==e and#Q==c)then r=1 local l={Z(p and 3 or 1),'t'..ac}if u==0 then Q=k for c in('tpw'):gmatch('.')do table.insert(Q,c..j)end l[3],l[4]=l[1],'t'..j if d>0 and not p then local b=a-e w=math.max(w==0 and b or w+(b-w)/8,0)end end for H,b in ipairs(ab())do table.insert(Q,b)end redis.call('ZREM',i,unpack(Q))local c=redis.pcall('ZADD',i,unpack(l))if h=='semaphore'and not B then local r=redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)g=math.min(g,math.max(a,r[2]or 0,n))end if m then D(h)end O()local f=x(redis.pcall)if d==0 then for H,c in ipairs({c,f})do if type(c)=='table'and c.err then return c end end end end if p or r==1 then return{'closed',a}end return{'lost',a,P(j,math.huge,z)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["2fc1d95420046d483404aa0bd1d2e01d086b6081", "b47b806f007b763e8d82681cb6c13baab41cee88"];
