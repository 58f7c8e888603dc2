// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "\nlocal y=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + semaphore + "\nlocal da,bF,cZ=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=da or ARGV[1],tonumber(ARGV[2])local k,cl=b:sub(1,36),bF or ARGV[1]:sub(1,36)local r,n=g==0,l=='semaphore'or l=='counter'local q=J(k)if not n and l~='none'then if r and not q then return bb(k,ARGV[4]+0)end return{'lost',a,au(k,g)}end local m,ch,bo=bg(b),{},0 local aP,ak={'t'..k,'t'..cl},{}for p in(cZ or''):gmatch('%d+')do ch[tonumber(p)],bo=true,bo+1 end for p,E in ipairs(m)do aP[p+2]=E end local w=redis.call('ZMSCORE',i,unpack(aP))local cD=aO(w[1])local T,G=aO(w[2])local W,v=0,G and ci(G)for p,E in ipairs(m)do local c=tonumber(w[p+2]or 0)if c>a then W=W+1 if ch[p]then table.insert(ak,E)end elseif c>0 then v=v or be(c)end end local D=bF and W-bo or 0 if r and G==1 and l=='counter'then if B and-tonumber(w[2])/1024-ARGV[3]*1000+10>=ao then B=math.min(B+b:sub(38),2^53-1)end G=nil end G=G or not bF and q and 3 or nil if not G and(r or W>0 and cD==g and#ak==bo)then G=1 local t={bl(r and 3 or 1),'t'..cl}if D==0 then ak=m for cK in('tpw'):gmatch('.')do table.insert(ak,cK..k)end t[3],t[4]=t[1],'t'..k if W>0 and not r then local bY=a-g s=math.max(s==0 and bY or s+(bY-s)/8,0)end end for T,E in ipairs(br())do table.insert(ak,E)end redis.call('ZREM',i,unpack(ak))local R=redis.pcall('ZADD',i,unpack(t))if l=='semaphore'and not B then local u=redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)j=math.min(j,math.max(a,u[2]or 0,L))end if n then F(l)end ad()local V=z(redis.pcall)if W==0 then for T,x in ipairs({R,V})do if type(x)=='table'and x.err then return x end end end end if r or G==1 then return{'closed',a}end return{'lost',a,au(k,math.huge,v)}",
  sha: ["97b84f57e76f1f4d9b01756ff4a15083af884995", "9762b10ebe7be760d1173bfea01d92f716822a35"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
