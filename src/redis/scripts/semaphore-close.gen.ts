// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local E=math.max(ARGV[3],math.ceil((ARGV[4]-e)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local em,ee,el=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local i,o=em or ARGV[1],tonumber(ARGV[2])local s,et=i:sub(1,36),ee or ARGV[1]:sub(1,36)local O,u=o==0,m=='semaphore'or m=='counter'local y=W(s)if not u and m~='none'then if O then return y and{'closed',e}or I(s,ARGV[4]+0)end return{'lost',e,D(s,o)}end local A,R,t=q(i),{},0 local j,Y={'t'..s,'t'..et},{}for d in(el or''):gmatch('%d+')do R[tonumber(d)],t=true,t+1 end for d,i in ipairs(A)do j[d+2]=i end local g=redis.call('ZMSCORE',d,unpack(j))local er=w(g[1])local k,n=w(g[2])local a,T=0,n and es(n)for d,i in ipairs(A)do local t=tonumber(g[d+2]or 0)if t>e then a=a+1 if R[d]then table.insert(Y,i)end elseif t>0 then T=T or v(t)end end local L=ee and a-t or 0 if O and n==1 and m=='counter'then if G and-tonumber(g[2])/1024-ARGV[3]*1000+10>=H then local e=i:match('^%d+',38)G,h=math.min(G+e,2^53-1),math.max(h-e,0)end n=nil end n=n or not ee and y and 3 or nil if not n and(O or a>0 and er==o and#Y==t)then n=1 local f={V(O and 3 or 1),'t'..et}if L==0 then Y=A for t in('tpw'):gmatch('.')do table.insert(Y,t..s)end f[3],f[4]=f[1],'t'..s if a>0 and not O then local i=e-o x=math.max(x==0 and i or x+(i-x)/8,0)end end for k,i in ipairs(ei())do table.insert(Y,i)end redis.call('ZREM',d,unpack(Y))local t=redis.pcall('ZADD',d,unpack(f))if m=='semaphore'and not G then local n=redis.call('ZREVRANGEBYSCORE',d,4e15,e+1,'WITHSCORES','LIMIT',0,1)l=math.min(l,math.max(e,n[2]or 0,h))end if u then K(m)end Z()local r=X(redis.pcall)if a==0 then for k,t in ipairs({t,r})do if type(t)=='table'and t.err then return t end end end end if O or n==1 then return{'closed',e}end return{'lost',e,D(s,math.huge,T)}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["c78a3f989bc2848fdff9a71caee26b8830aded19", "a6a7270ee311f9408ca95cfbd7031b159a675d62"];
