// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local b=math.max(ARGV[3],math.ceil((ARGV[4]-e)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local ei,a,er=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local t,o=ei or ARGV[1],tonumber(ARGV[2])local s,eo=t:sub(1,36),a or ARGV[1]:sub(1,36)local p,f=o==0,d=='semaphore'or d=='counter'local h=q(s)if not f and d~='none'then if p then return h and{'closed',e}or V(s,ARGV[4]+0)end return{'lost',e,Q(s,o)}end local c,et,n=Y(t),{},0 local M,L={'t'..s,'t'..eo},{}for i in(er or''):gmatch('%d+')do et[tonumber(i)],n=true,n+1 end for i,a in ipairs(c)do M[i+2]=a end local g=redis.call('ZMSCORE',i,unpack(M))local el=T(g[1])local G,B=T(g[2])local H,y=0,B and es(B)for i,a in ipairs(c)do local n=tonumber(g[i+2]or 0)if n>e then H=H+1 if et[i]then table.insert(L,a)end elseif n>0 then y=y or X(n)end end local u=a and H-n or 0 if p and B==1 and d=='counter'then if j and-tonumber(g[2])/1024-ARGV[3]*1000+10>=O then j=math.min(j+t:sub(38),2^53-1)end B=nil end B=B or not a and h and 3 or nil if not B and(p or H>0 and el==o and#L==n)then B=1 local m={Z(p and 3 or 1),'t'..eo}if u==0 then L=c for n in('tpw'):gmatch('.')do table.insert(L,n..s)end m[3],m[4]=m[1],'t'..s if H>0 and not p then local t=e-o w=math.max(w==0 and t or w+(t-w)/8,0)end end for G,a in ipairs(ee())do table.insert(L,a)end redis.call('ZREM',i,unpack(L))local n=redis.pcall('ZADD',i,unpack(m))if d=='semaphore'and not j then local y=redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)r=math.min(r,math.max(e,y[2]or 0,E))end if f then A(d)end K()local t=v(redis.pcall)if H==0 then for G,n in ipairs({n,t})do if type(n)=='table'and n.err then return n end end end end if p or B==1 then return{'closed',e}end return{'lost',e,Q(s,math.huge,y)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["6bf0cd4417bc3e9be215fc7f10aee10c29f76ffb", "6d918a11afce83eb77f4a62f0ecdb864c771e2d0"];
