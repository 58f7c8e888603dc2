// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number], SemaphoreCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + semaphore + "\nlocal cL,bv,cK=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,d=cL or ARGV[1],tonumber(ARGV[2])local l,bY=b:sub(1,36),bv or ARGV[1]:sub(1,36)local r,n=d==0,m=='semaphore'or m=='counter'local q=w(l)if not n and m~='none'then if r and not q then return aV(l,ARGV[3])end return{'lost',a,ao(l,d)}end local k,bV,bg=aZ(b),{},0 local aO,ah={'t'..l,'t'..bY},{}for p in(cK or''):gmatch('%d+')do bV[tonumber(p)],bg=true,bg+1 end for p,z in ipairs(k)do aO[p+2]=z end local t=redis.call('ZMSCORE',j,unpack(aO))local cr=aN(t[1])local N,I=aN(t[2])local H=0 for p,z in ipairs(k)do if tonumber(t[p+2]or 0)>a then H=H+1 if bV[p]then table.insert(ah,z)end end end local s=bv and H-bg or 0 if r and I==1 and m=='counter'then if x and-tonumber(t[2])/1024-ARGV[3]*1000+10>=aj then x=math.min(x+b:sub(38),2^53-1)end I=nil end I=I or not bv and q and(q=='r'and 1 or 3)or nil if not I and(r or H>0 and cr==d and#ah==bg)then I=1 local O={be(r and 3 or 1,ARGV[3]),'t'..bY}if s==0 then ah=k for cx in('tpw'):gmatch('.')do table.insert(ah,cx..l)end O[3],O[4]=O[1],'t'..l C(l,r and'c'or'r')if H>0 and not r then local bM=a-d u=math.max(u==0 and bM or u+(bM-u)/8,0)end end for N,z in ipairs(bm())do table.insert(ah,z)end redis.call('ZREM',j,unpack(ah))local Q=redis.pcall('ZADD',j,unpack(O))if m=='semaphore'and not x then local J=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,J[2]or 0,E))end if n then A(m)end U(ARGV[3])local ac=y(ARGV[3],redis.pcall)if H==0 then for N,v in ipairs({Q,ac})do if type(v)=='table'and v.err then return v end end end end if r or I==1 then return{'closed',a}end return{'lost',a,ao(l,math.huge)}",
  sha: ["a4cf066be9b8b9b3787baf28790d898e3c8ff013", "78ef5c16451f75de1ef80c29071d30227d4097fc"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
