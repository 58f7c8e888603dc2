// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number], SemaphoreCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + semaphore + "\nlocal cw,bo,cv=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,f=cw or ARGV[1],tonumber(ARGV[2])local l,bM=b:sub(1,36),bo or ARGV[1]:sub(1,36)local r,o=f==0,m=='semaphore'or m=='counter'local q=v(l)if not o and m~='none'then if r and not q then return aN(l,ARGV[3])end return{'lost',a,ah(l,f)}end local k,bJ,aW=aQ(b),{},0 local aF,ab={'t'..l,'t'..bM},{}for p in(cv or''):gmatch('%d+')do bJ[tonumber(p)],aW=true,aW+1 end for p,y in ipairs(k)do aF[p+2]=y end local u=redis.call('ZMSCORE',j,unpack(aF))local ce=aE(u[1])local P,F=aE(u[2])local E=0 for p,y in ipairs(k)do if tonumber(u[p+2]or 0)>a then E=E+1 if bJ[p]then table.insert(ab,y)end end end local s=bo and E-aW or 0 if r and F==1 and m=='counter'then if B then B=math.min(B+b:sub(38),2^53-1)end F=nil end F=F or not bo and q and(q=='r'and 1 or 3)or nil if not F and(r or E>0 and ce==f and#ab==aW)then F=1 local O={bm(r and 3 or 1,ARGV[3]),'t'..bM}if s==0 then ab=k for ci in('tpw'):gmatch('.')do table.insert(ab,ci..l)end O[3],O[4]=O[1],'t'..l A(l,r and'c'or'r')if E>0 and not r then local bA=a-f t=math.max(t==0 and bA or t+(bA-t)/8,0)end end for P,y in ipairs(be())do table.insert(ab,y)end redis.call('ZREM',j,unpack(ab))local K=redis.pcall('ZADD',j,unpack(O))if m=='semaphore'and not B then local G=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,G[2]or 0,M))end if o then x(m)end S(ARGV[3])local W=w(ARGV[3],redis.pcall)if E==0 then for P,bn in ipairs({K,W})do if type(bn)=='table'and bn.err then return bn end end end end if r or F==1 then return{'closed',a}end return{'lost',a,ah(l,math.huge)}",
  sha: ["decf8eaf8a21f8fe03167f6e13b468b748ebc740", "e2c337bcf3070effc789553bcc5d222e6a45d02d"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
