// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "\nlocal w=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + members + "\n" + semaphore + "\nlocal da,bF,cZ=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=da or ARGV[1],tonumber(ARGV[2])local l,cl=b:sub(1,36),bF or ARGV[1]:sub(1,36)local r,n=g==0,k=='semaphore'or k=='counter'local q=F(l)if not n and k~='none'then if r and not q then return bb(l,ARGV[4]+0)end return{'lost',a,au(l,g)}end local m,ch,bo=bg(b),{},0 local aQ,ak={'t'..l,'t'..cl},{}for p in(cZ or''):gmatch('%d+')do ch[tonumber(p)],bo=true,bo+1 end for p,E in ipairs(m)do aQ[p+2]=E end local x=redis.call('ZMSCORE',j,unpack(aQ))local cD=aP(x[1])local T,I=aP(x[2])local X,v=0,I and ci(I)for p,E in ipairs(m)do local c=tonumber(x[p+2]or 0)if c>a then X=X+1 if ch[p]then table.insert(ak,E)end elseif c>0 then v=v or be(c)end end local D=bF and X-bo or 0 if r and I==1 and k=='counter'then if B and-tonumber(x[2])/1024-ARGV[3]*1000+10>=ao then B=math.min(B+b:sub(38),2^53-1)end I=nil end I=I or not bF and q and 3 or nil if not I and(r or X>0 and cD==g and#ak==bo)then I=1 local t={bl(r and 3 or 1),'t'..cl}if D==0 then ak=m for cK in('tpw'):gmatch('.')do table.insert(ak,cK..l)end t[3],t[4]=t[1],'t'..l if X>0 and not r then local bY=a-g s=math.max(s==0 and bY or s+(bY-s)/8,0)end end for T,E in ipairs(br())do table.insert(ak,E)end redis.call('ZREM',j,unpack(ak))local R=redis.pcall('ZADD',j,unpack(t))if k=='semaphore'and not B then local u=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,u[2]or 0,M))end if n then G(k)end ad()local W=z(redis.pcall)if X==0 then for T,y in ipairs({R,W})do if type(y)=='table'and y.err then return y end end end end if r or I==1 then return{'closed',a}end return{'lost',a,au(l,math.huge,v)}",
  replies: ["closed", "lost reason"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["76b74a81c497064b4bbeb41f8fce0c74cbb3dabe", "46a9fec1d306c62968c8387d91791acabf6c906e"];
