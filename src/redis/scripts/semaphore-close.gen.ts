// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local b=math.max(ARGV[3],math.ceil((ARGV[4]-e)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local ei,ee,er=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local t,o=ei or ARGV[1],tonumber(ARGV[2])local s,en=t:sub(1,36),ee or ARGV[1]:sub(1,36)local p,m=o==0,d=='semaphore'or d=='counter'local h=q(s)if not m and d~='none'then if p then return h and{'closed',e}or V(s,ARGV[4]+0)end return{'lost',e,P(s,o)}end local c,L,n=Y(t),{},0 local K,Q={'t'..s,'t'..en},{}for i in(er or''):gmatch('%d+')do L[tonumber(i)],n=true,n+1 end for i,t in ipairs(c)do K[i+2]=t end local v=redis.call('ZMSCORE',i,unpack(K))local el=M(v[1])local H,A=M(v[2])local a,y=0,A and es(A)for i,t in ipairs(c)do local n=tonumber(v[i+2]or 0)if n>e then a=a+1 if L[i]then table.insert(Q,t)end elseif n>0 then y=y or X(n)end end local w=ee and a-n or 0 if p and A==1 and d=='counter'then if B and-tonumber(v[2])/1024-ARGV[3]*1000+10>=R then B=math.min(B+t:match('^%d+',38),2^53-1)end A=nil end A=A or not ee and h and 3 or nil if not A and(p or a>0 and el==o and#Q==n)then A=1 local f={Z(p and 3 or 1),'t'..en}if w==0 then Q=c for n in('tpw'):gmatch('.')do table.insert(Q,n..s)end f[3],f[4]=f[1],'t'..s if a>0 and not p then local t=e-o x=math.max(x==0 and t or x+(t-x)/8,0)end end for H,t in ipairs(et())do table.insert(Q,t)end redis.call('ZREM',i,unpack(Q))local n=redis.pcall('ZADD',i,unpack(f))if d=='semaphore'and not B then local y=redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)r=math.min(r,math.max(e,y[2]or 0,u))end if m then C(d)end N()local l=j(redis.pcall)if a==0 then for H,n in ipairs({n,l})do if type(n)=='table'and n.err then return n end end end end if p or A==1 then return{'closed',e}end return{'lost',e,P(s,math.huge,y)}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["d3802adad4a2cc883cfec589f7690b9d0e46a9ed", "afe77dbd5b402aaecd1c8a768068eb1eb59b682e"];
