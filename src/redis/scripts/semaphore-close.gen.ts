// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local y=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local dc,bI,db=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=dc or ARGV[1],tonumber(ARGV[2])local l,cp=b:sub(1,36),bI or ARGV[1]:sub(1,36)local r,n=g==0,k=='semaphore'or k=='counter'local p=F(l)if not n and k~='none'then if r then return p and{'closed',a}or bb(l,ARGV[4]+0)end return{'lost',a,av(l,g)}end local m,cl,bp=bh(b),{},0 local aR,ak={'t'..l,'t'..cp},{}for q in(db or''):gmatch('%d+')do cl[tonumber(q)],bp=true,bp+1 end for q,t in ipairs(m)do aR[q+2]=t end local z=redis.call('ZMSCORE',j,unpack(aR))local cH=aQ(z[1])local X,J=aQ(z[2])local Y,x=0,J and cm(J)for q,t in ipairs(m)do local c=tonumber(z[q+2]or 0)if c>a then Y=Y+1 if cl[q]then table.insert(ak,t)end elseif c>0 then x=x or be(c)end end local E=bI and Y-bp or 0 if r and J==1 and k=='counter'then if C and-tonumber(z[2])/1024-ARGV[3]*1000+10>=ap then C=math.min(C+b:sub(38),2^53-1)end J=nil end J=J or not bI and p and 3 or nil if not J and(r or Y>0 and cH==g and#ak==bp)then J=1 local v={bm(r and 3 or 1),'t'..cp}if E==0 then ak=m for bf in('tpw'):gmatch('.')do table.insert(ak,bf..l)end v[3],v[4]=v[1],'t'..l if Y>0 and not r then local cc=a-g u=math.max(u==0 and cc or u+(cc-u)/8,0)end end for X,t in ipairs(bs())do table.insert(ak,t)end redis.call('ZREM',j,unpack(ak))local R=redis.pcall('ZADD',j,unpack(v))if k=='semaphore'and not C then local w=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,w[2]or 0,N))end if n then H(k)end ad()local W=B(redis.pcall)if Y==0 then for X,A in ipairs({R,W})do if type(A)=='table'and A.err then return A end end end end if r or J==1 then return{'closed',a}end return{'lost',a,av(l,math.huge,x)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["a5b4872cb94249d4ce08f85b45a7c858841082dd", "b9bda982b828ddccff0428a97136575650d27294"];
