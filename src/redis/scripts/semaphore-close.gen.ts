// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local k=math.max(ARGV[3],math.ceil((ARGV[4]-e)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local ei,a,er=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local t,l=ei or ARGV[1],tonumber(ARGV[2])local s,eo=t:sub(1,36),a or ARGV[1]:sub(1,36)local p,c=l==0,d=='semaphore'or d=='counter'local h=j(s)if not c and d~='none'then if p then return h and{'closed',e}or W(s,ARGV[4]+0)end return{'lost',e,R(s,l)}end local m,N,n=Z(t),{},0 local L,O={'t'..s,'t'..eo},{}for i in(er or''):gmatch('%d+')do N[tonumber(i)],n=true,n+1 end for i,a in ipairs(m)do L[i+2]=a end local w=redis.call('ZMSCORE',i,unpack(L))local el=U(w[1])local G,C=U(w[2])local H,u=0,C and es(C)for i,a in ipairs(m)do local n=tonumber(w[i+2]or 0)if n>e then H=H+1 if N[i]then table.insert(O,a)end elseif n>0 then u=u or Y(n)end end local b=a and H-n or 0 if p and C==1 and d=='counter'then if q and-tonumber(w[2])/1024-ARGV[3]*1000+10>=Q then q=math.min(q+t:sub(38),2^53-1)end C=nil end C=C or not a and h and 3 or nil if not C and(p or H>0 and el==l and#O==n)then C=1 local f={ee(p and 3 or 1),'t'..eo}if b==0 then O=m for n in('tpw'):gmatch('.')do table.insert(O,n..s)end f[3],f[4]=f[1],'t'..s if H>0 and not p then local t=e-l y=math.max(y==0 and t or y+(t-y)/8,0)end end for G,a in ipairs(et())do table.insert(O,a)end redis.call('ZREM',i,unpack(O))local n=redis.pcall('ZADD',i,unpack(f))if d=='semaphore'and not q then local u=redis.call('ZREVRANGEBYSCORE',i,4e15,e+1,'WITHSCORES','LIMIT',0,1)r=math.min(r,math.max(e,u[2]or 0,E))end if c then z(d)end K()local t=v(redis.pcall)if H==0 then for G,n in ipairs({n,t})do if type(n)=='table'and n.err then return n end end end end if p or C==1 then return{'closed',e}end return{'lost',e,R(s,math.huge,u)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["5649ace68cbbfd3be5abb16842b79273ad25d0ad", "e5c72d90189640cea4ce5699d0baa0859bf858ad"];
