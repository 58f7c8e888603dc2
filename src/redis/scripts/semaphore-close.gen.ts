// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number], SemaphoreCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + semaphore + "\nlocal cx,bo,cw=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,f=cx or ARGV[1],tonumber(ARGV[2])local l,bN=b:sub(1,36),bo or ARGV[1]:sub(1,36)local r,o=f==0,m=='semaphore'or m=='counter'local q=v(l)if not o and m~='none'then if r and not q then return aN(l,ARGV[3])end return{'lost',a,ah(l,f)}end local j,bL,aX=aR(b),{},0 local aF,ab={'t'..l,'t'..bN},{}for p in(cw or''):gmatch('%d+')do bL[tonumber(p)],aX=true,aX+1 end for p,x in ipairs(j)do aF[p+2]=x end local u=redis.call('ZMSCORE',k,unpack(aF))local cf=aE(u[1])local P,H=aE(u[2])local G=0 for p,x in ipairs(j)do if tonumber(u[p+2]or 0)>a then G=G+1 if bL[p]then table.insert(ab,x)end end end local s=bo and G-aX or 0 if r and H==1 and m=='counter'then if B then B=math.min(B+b:sub(38),2^53-1)end H=nil end H=H or not bo and q and(q=='r'and 1 or 3)or nil if not H and(r or G>0 and cf==f and#ab==aX)then H=1 local O={bm(r and 3 or 1,ARGV[3]),'t'..bN}if s==0 then ab=j for cj in('tpw'):gmatch('.')do table.insert(ab,cj..l)end O[3],O[4]=O[1],'t'..l A(l,r and'c'or'r')if G>0 and not r then local bB=a-f t=math.max(t==0 and bB or t+(bB-t)/8,0)end end for P,x in ipairs(be())do table.insert(ab,x)end redis.call('ZREM',k,unpack(ab))local M=redis.pcall('ZADD',k,unpack(O))if m=='semaphore'and not B then local I=redis.call('ZREVRANGEBYSCORE',k,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,I[2]or 0,D))end if o then y(m)end S(ARGV[3])local W=w(ARGV[3],redis.pcall)if G==0 then for P,bn in ipairs({M,W})do if type(bn)=='table'and bn.err then return bn end end end end if r or H==1 then return{'closed',a}end return{'lost',a,ah(l,math.huge)}",
  sha: ["42d3ead3c3d6352bbb086b0824cf1f316e106f7e", "4ea015582a19118064bd66d8a9f12d6d4fa1cd9f"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
