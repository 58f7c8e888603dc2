// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number], SemaphoreCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + semaphore + "\nlocal cx,bp,cw=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,f=cx or ARGV[1],tonumber(ARGV[2])local l,bN=b:sub(1,36),bp or ARGV[1]:sub(1,36)local r,n=f==0,m=='semaphore'or m=='counter'local q=v(l)if not n and m~='none'then if r and not q then return aO(l,ARGV[3])end return{'lost',a,aj(l,f)}end local k,bL,aZ=aS(b),{},0 local aI,ad={'t'..l,'t'..bN},{}for p in(cw or''):gmatch('%d+')do bL[tonumber(p)],aZ=true,aZ+1 end for p,y in ipairs(k)do aI[p+2]=y end local t=redis.call('ZMSCORE',j,unpack(aI))local cf=aH(t[1])local P,H=aH(t[2])local G=0 for p,y in ipairs(k)do if tonumber(t[p+2]or 0)>a then G=G+1 if bL[p]then table.insert(ad,y)end end end local s=bp and G-aZ or 0 if r and H==1 and m=='counter'then if w and-tonumber(t[2])/1024-ARGV[3]*1000+10>=af then w=math.min(w+b:sub(38),2^53-1)end H=nil end H=H or not bp and q and(q=='r'and 1 or 3)or nil if not H and(r or G>0 and cf==f and#ad==aZ)then H=1 local M={aX(r and 3 or 1,ARGV[3]),'t'..bN}if s==0 then ad=k for cj in('tpw'):gmatch('.')do table.insert(ad,cj..l)end M[3],M[4]=M[1],'t'..l B(l,r and'c'or'r')if G>0 and not r then local bB=a-f u=math.max(u==0 and bB or u+(bB-u)/8,0)end end for P,y in ipairs(bg())do table.insert(ad,y)end redis.call('ZREM',j,unpack(ad))local O=redis.pcall('ZADD',j,unpack(M))if m=='semaphore'and not w then local I=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,I[2]or 0,D))end if n then z(m)end S(ARGV[3])local Y=x(ARGV[3],redis.pcall)if G==0 then for P,bo in ipairs({O,Y})do if type(bo)=='table'and bo.err then return bo end end end end if r or H==1 then return{'closed',a}end return{'lost',a,aj(l,math.huge)}",
  sha: ["28715b6aec699937597d9e13068be11527a4c935", "19075215653b894a2952bdadac93269ab38afc2c"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
