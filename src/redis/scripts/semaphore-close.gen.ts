// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "\nlocal w=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + members + "\n" + semaphore + "\nlocal dc,bG,db=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=dc or ARGV[1],tonumber(ARGV[2])local l,cn=b:sub(1,36),bG or ARGV[1]:sub(1,36)local r,n=g==0,k=='semaphore'or k=='counter'local q=F(l)if not n and k~='none'then if r and not q then return bc(l,ARGV[4]+0)end return{'lost',a,av(l,g)}end local m,cj,bp=bh(b),{},0 local aR,ak={'t'..l,'t'..cn},{}for p in(db or''):gmatch('%d+')do cj[tonumber(p)],bp=true,bp+1 end for p,E in ipairs(m)do aR[p+2]=E end local x=redis.call('ZMSCORE',j,unpack(aR))local cF=aQ(x[1])local X,I=aQ(x[2])local Y,v=0,I and ck(I)for p,E in ipairs(m)do local c=tonumber(x[p+2]or 0)if c>a then Y=Y+1 if cj[p]then table.insert(ak,E)end elseif c>0 then v=v or bf(c)end end local D=bG and Y-bp or 0 if r and I==1 and k=='counter'then if B and-tonumber(x[2])/1024-ARGV[3]*1000+10>=ap then B=math.min(B+b:sub(38),2^53-1)end I=nil end I=I or not bG and q and 3 or nil if not I and(r or Y>0 and cF==g and#ak==bp)then I=1 local t={bm(r and 3 or 1),'t'..cn}if D==0 then ak=m for cM in('tpw'):gmatch('.')do table.insert(ak,cM..l)end t[3],t[4]=t[1],'t'..l if Y>0 and not r then local ca=a-g s=math.max(s==0 and ca or s+(ca-s)/8,0)end end for X,E in ipairs(bs())do table.insert(ak,E)end redis.call('ZREM',j,unpack(ak))local R=redis.pcall('ZADD',j,unpack(t))if k=='semaphore'and not B then local u=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,u[2]or 0,M))end if n then G(k)end ad()local W=z(redis.pcall)if Y==0 then for X,y in ipairs({R,W})do if type(y)=='table'and y.err then return y end end end end if r or I==1 then return{'closed',a}end return{'lost',a,av(l,math.huge,v)}",
  replies: ["closed", "lost reason"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["14f445960db4ebb5348dd92a22e75e4d0bac755e", "df64c1bd1153d00bdfa52c27995c462589527512"];
