// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number], SemaphoreCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + semaphore + "\nlocal cw,bo,cv=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,f=cw or ARGV[1],tonumber(ARGV[2])local l,bM=b:sub(1,36),bo or ARGV[1]:sub(1,36)local q,o=f==0,m=='semaphore'or m=='counter'local p=w(l)if not o and m~='none'then if q and not p then return aN(l,ARGV[3])end return{'lost',a,ah(l,f)}end local k,bJ,aW=aQ(b),{},0 local aF,ab={'t'..l,'t'..bM},{}for r in(cv or''):gmatch('%d+')do bJ[tonumber(r)],aW=true,aW+1 end for r,v in ipairs(k)do aF[r+2]=v end local u=redis.call('ZMSCORE',j,unpack(aF))local ce=aE(u[1])local O,F=aE(u[2])local E=0 for r,v in ipairs(k)do if tonumber(u[r+2]or 0)>a then E=E+1 if bJ[r]then table.insert(ab,v)end end end local s=bo and E-aW or 0 if q and F==1 and m=='counter'then if B then B=math.min(B+b:sub(38),2^53-1)end F=nil end F=F or not bo and p and(p=='r'and 1 or 3)or nil if not F and(q or E>0 and ce==f and#ab==aW)then F=1 local P={bm(q and 3 or 1,ARGV[3]),'t'..bM}if s==0 then ab=k for ci in('tpw'):gmatch('.')do table.insert(ab,ci..l)end P[3],P[4]=P[1],'t'..l A(l,q and'c'or'r')if E>0 and not q then local bA=a-f t=math.max(t==0 and bA or t+(bA-t)/8,0)end end for O,v in ipairs(be())do table.insert(ab,v)end redis.call('ZREM',j,unpack(ab))local K=redis.pcall('ZADD',j,unpack(P))if m=='semaphore'and not B then local G=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,G[2]or 0,M))end if o then y(m)end S(ARGV[3])local W=x(ARGV[3],redis.pcall)if E==0 then for O,bn in ipairs({K,W})do if type(bn)=='table'and bn.err then return bn end end end end if q or F==1 then return{'closed',a}end return{'lost',a,ah(l,math.huge)}",
  sha: ["56db88f484dce223840bae4f9a2a3aa04502b072", "df435e45022da0b58d26ef693c62643a55c73953"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
