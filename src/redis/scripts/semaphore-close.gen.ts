// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local b=math.max(ARGV[3],math.ceil((ARGV[4]-e)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local ei,a,er=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local t,o=ei or ARGV[1],tonumber(ARGV[2])local c,eo=t:sub(1,36),a or ARGV[1]:sub(1,36)local p,m=o==0,d=='semaphore'or d=='counter'local h=q(c)if not m and d~='none'then if p then return h and{'closed',e}or W(c,ARGV[4]+0)end return{'lost',e,O(c,o)}end local s,M,n=Z(t),{},0 local Q,P={'t'..c,'t'..eo},{}for i in(er or''):gmatch('%d+')do M[tonumber(i)],n=true,n+1 end for i,a in ipairs(s)do Q[i+2]=a end local w=redis.call('ZMSCORE',i,unpack(Q))local el=N(w[1])local H,B=N(w[2])local G,u=0,B and es(B)for i,a in ipairs(s)do local n=tonumber(w[i+2]or 0)if n>e then G=G+1 if M[i]then table.insert(P,a)end elseif n>0 then u=u or Y(n)end end local g=a and G-n or 0 if p and B==1 and d=='counter'then if C and-tonumber(w[2])/1024-ARGV[3]*1000+10>=S then C=math.min(C+t:match('^%d+',38),2^53-1)end B=nil end B=B or not a and h and 3 or nil if not B and(p or G>0 and el==o and#P==n)then B=1 local f={ee(p and 3 or 1),'t'..eo}if g==0 then P=s for n in('tpw'):gmatch('.')do table.insert(P,n..c)end f[3],f[4]=f[1],'t'..c if G>0 and not p then local t=e-o x=math.max(x==0 and t or x+(t-x)/8,0)end end for H,a in ipairs(et())do table.insert(P,a)end redis.call('ZREM',i,unpack(P))local n=redis.pcall('ZADD',i,unpack(f))if d=='semaphore'and not C then local u=redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)r=math.min(r,math.max(e,u[2]or 0,D))end if m then A(d)end K()local t=v(redis.pcall)if G==0 then for H,n in ipairs({n,t})do if type(n)=='table'and n.err then return n end end end end if p or B==1 then return{'closed',e}end return{'lost',e,O(c,math.huge,u)}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["bfd7cba089fd3be84309417c0145a6212c955af2", "1572006f7098e940d1918e4c066b4475531cf733"];
