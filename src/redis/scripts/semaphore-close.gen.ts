// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local v=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local dh,bM,dg=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=dh or ARGV[1],tonumber(ARGV[2])local l,cu=b:sub(1,36),bM or ARGV[1]:sub(1,36)local r,n=g==0,k=='semaphore'or k=='counter'local p=G(l)if not n and k~='none'then if r then return p and{'closed',a}or bc(l,ARGV[4]+0)end return{'lost',a,aw(l,g)}end local m,cp,br=bj(b),{},0 local aT,am={'t'..l,'t'..cu},{}for q in(dg or''):gmatch('%d+')do cp[tonumber(q)],br=true,br+1 end for q,u in ipairs(m)do aT[q+2]=u end local w=redis.call('ZMSCORE',j,unpack(aT))local cN=aS(w[1])local X,J=aS(w[2])local Y,z=0,J and cq(J)for q,u in ipairs(m)do local c=tonumber(w[q+2]or 0)if c>a then Y=Y+1 if cp[q]then table.insert(am,u)end elseif c>0 then z=z or bg(c)end end local t=bM and Y-br or 0 if r and J==1 and k=='counter'then if D and-tonumber(w[2])/1024-ARGV[3]*1000+10>=ar then D=math.min(D+b:sub(38),2^53-1)end J=nil end J=J or not bM and p and 3 or nil if not J and(r or Y>0 and cN==g and#am==br)then J=1 local A={bo(r and 3 or 1),'t'..cu}if t==0 then am=m for bh in('tpw'):gmatch('.')do table.insert(am,bh..l)end A[3],A[4]=A[1],'t'..l if Y>0 and not r then local cg=a-g x=math.max(x==0 and cg or x+(cg-x)/8,0)end end for X,u in ipairs(bx())do table.insert(am,u)end redis.call('ZREM',j,unpack(am))local S=redis.pcall('ZADD',j,unpack(A))if k=='semaphore'and not D then local y=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,y[2]or 0,N))end if n then H(k)end ae()local W=C(redis.pcall)if Y==0 then for X,B in ipairs({S,W})do if type(B)=='table'and B.err then return B end end end end if r or J==1 then return{'closed',a}end return{'lost',a,aw(l,math.huge,z)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["5d4f28b4426078967417517c9246720917fcce32", "7b0740e3bf6913793f50e44464dc7ce22066dac5"];
