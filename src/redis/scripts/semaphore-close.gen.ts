// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number], SemaphoreCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + semaphore + "\nlocal cM,bw,cL=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,e=cM or ARGV[1],tonumber(ARGV[2])local l,bZ=b:sub(1,36),bw or ARGV[1]:sub(1,36)local r,n=e==0,m=='semaphore'or m=='counter'local q=w(l)if not n and m~='none'then if r and not q then return aV(l,ARGV[3])end return{'lost',a,ao(l,e)}end local k,bW,bg=aZ(b),{},0 local aO,ah={'t'..l,'t'..bZ},{}for p in(cL or''):gmatch('%d+')do bW[tonumber(p)],bg=true,bg+1 end for p,z in ipairs(k)do aO[p+2]=z end local t=redis.call('ZMSCORE',j,unpack(aO))local cs=aN(t[1])local R,I=aN(t[2])local H=0 for p,z in ipairs(k)do if tonumber(t[p+2]or 0)>a then H=H+1 if bW[p]then table.insert(ah,z)end end end local s=bw and H-bg or 0 if r and I==1 and m=='counter'then if x and-tonumber(t[2])/1024-ARGV[3]*1000+10>=aj then x=math.min(x+b:sub(38),2^53-1)end I=nil end I=I or not bw and q and(q=='r'and 1 or 3)or nil if not I and(r or H>0 and cs==e and#ah==bg)then I=1 local N={be(r and 3 or 1,ARGV[3]),'t'..bZ}if s==0 then ah=k for cy in('tpw'):gmatch('.')do table.insert(ah,cy..l)end N[3],N[4]=N[1],'t'..l C(l,r and'c'or'r')if H>0 and not r then local bO=a-e u=math.max(u==0 and bO or u+(bO-u)/8,0)end end for R,z in ipairs(bm())do table.insert(ah,z)end redis.call('ZREM',j,unpack(ah))local P=redis.pcall('ZADD',j,unpack(N))if m=='semaphore'and not x then local J=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,J[2]or 0,E))end if n then A(m)end V(ARGV[3])local ac=y(ARGV[3],redis.pcall)if H==0 then for R,v in ipairs({P,ac})do if type(v)=='table'and v.err then return v end end end end if r or I==1 then return{'closed',a}end return{'lost',a,ao(l,math.huge)}",
  sha: ["1ec7e088afbfac13a36b976e4596bfb63794c055", "923c8b34b275b3206b53c657ee88fab944cc0cd5"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
