// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local b=math.max(ARGV[3],math.ceil((ARGV[4]-e)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local ei,a,er=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local t,o=ei or ARGV[1],tonumber(ARGV[2])local s,eo=t:sub(1,36),a or ARGV[1]:sub(1,36)local p,c=o==0,d=='semaphore'or d=='counter'local h=q(s)if not c and d~='none'then if p then return h and{'closed',e}or V(s,ARGV[4]+0)end return{'lost',e,M(s,o)}end local m,et,n=Y(t),{},0 local N,O={'t'..s,'t'..eo},{}for i in(er or''):gmatch('%d+')do et[tonumber(i)],n=true,n+1 end for i,a in ipairs(m)do N[i+2]=a end local x=redis.call('ZMSCORE',i,unpack(N))local el=U(x[1])local H,A=U(x[2])local F,u=0,A and es(A)for i,a in ipairs(m)do local n=tonumber(x[i+2]or 0)if n>e then F=F+1 if et[i]then table.insert(O,a)end elseif n>0 then u=u or X(n)end end local k=a and F-n or 0 if p and A==1 and d=='counter'then if B and-tonumber(x[2])/1024-ARGV[3]*1000+10>=Q then B=math.min(B+t:sub(38),2^53-1)end A=nil end A=A or not a and h and 3 or nil if not A and(p or F>0 and el==o and#O==n)then A=1 local f={Z(p and 3 or 1),'t'..eo}if k==0 then O=m for n in('tpw'):gmatch('.')do table.insert(O,n..s)end f[3],f[4]=f[1],'t'..s if F>0 and not p then local t=e-o g=math.max(g==0 and t or g+(t-g)/8,0)end end for H,a in ipairs(ee())do table.insert(O,a)end redis.call('ZREM',i,unpack(O))local n=redis.pcall('ZADD',i,unpack(f))if d=='semaphore'and not B then local u=redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)r=math.min(r,math.max(e,u[2]or 0,E))end if c then z(d)end L()local t=y(redis.pcall)if F==0 then for H,n in ipairs({n,t})do if type(n)=='table'and n.err then return n end end end end if p or A==1 then return{'closed',e}end return{'lost',e,M(s,math.huge,u)}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["dd235f205617105531fc6315f7b99ae350372f05", "77d1b25bd169396497407181f2106fac56c6b6e6"];
