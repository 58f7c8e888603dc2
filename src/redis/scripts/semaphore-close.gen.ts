// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local b=math.max(ARGV[3],math.ceil((ARGV[4]-e)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local ei,a,er=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local t,o=ei or ARGV[1],tonumber(ARGV[2])local c,eo=t:sub(1,36),a or ARGV[1]:sub(1,36)local p,m=o==0,d=='semaphore'or d=='counter'local h=q(c)if not m and d~='none'then if p then return h and{'closed',e}or V(c,ARGV[4]+0)end return{'lost',e,M(c,o)}end local s,et,n=Y(t),{},0 local N,O={'t'..c,'t'..eo},{}for i in(er or''):gmatch('%d+')do et[tonumber(i)],n=true,n+1 end for i,a in ipairs(s)do N[i+2]=a end local y=redis.call('ZMSCORE',i,unpack(N))local el=R(y[1])local H,B=R(y[2])local F,u=0,B and es(B)for i,a in ipairs(s)do local n=tonumber(y[i+2]or 0)if n>e then F=F+1 if et[i]then table.insert(O,a)end elseif n>0 then u=u or X(n)end end local k=a and F-n or 0 if p and B==1 and d=='counter'then if C and-tonumber(y[2])/1024-ARGV[3]*1000+10>=Q then C=math.min(C+t:sub(38),2^53-1)end B=nil end B=B or not a and h and 3 or nil if not B and(p or F>0 and el==o and#O==n)then B=1 local f={Z(p and 3 or 1),'t'..eo}if k==0 then O=s for n in('tpw'):gmatch('.')do table.insert(O,n..c)end f[3],f[4]=f[1],'t'..c if F>0 and not p then local t=e-o w=math.max(w==0 and t or w+(t-w)/8,0)end end for H,a in ipairs(ee())do table.insert(O,a)end redis.call('ZREM',i,unpack(O))local n=redis.pcall('ZADD',i,unpack(f))if d=='semaphore'and not C then local u=redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)r=math.min(r,math.max(e,u[2]or 0,E))end if m then A(d)end L()local t=g(redis.pcall)if F==0 then for H,n in ipairs({n,t})do if type(n)=='table'and n.err then return n end end end end if p or B==1 then return{'closed',e}end return{'lost',e,M(c,math.huge,u)}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["247ade67cc459f46e0878ecefbcb2faf264dfcbd", "7d38ea96c30b8812a73d8811aa432a9daada4eac"];
