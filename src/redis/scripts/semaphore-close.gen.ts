// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, record, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], SemaphoreCloseReply> = {
  lua: clock + "local w=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + one + record + ending + vacate + elsewhere + crowd + members + semaphore + "local dj,bO,di=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=dj or ARGV[1],tonumber(ARGV[2])local l,cw=b:sub(1,36),bO or ARGV[1]:sub(1,36)local r,n=g==0,k=='semaphore'or k=='counter'local p=I(l)if not n and k~='none'then if r then return p and{'closed',a}or bc(l,ARGV[4]+0)end return{'lost',a,aw(l,g)}end local m,cr,bs=bk(b),{},0 local aS,an={'t'..l,'t'..cw},{}for q in(di or''):gmatch('%d+')do cr[tonumber(q)],bs=true,bs+1 end for q,u in ipairs(m)do aS[q+2]=u end local x=redis.call('ZMSCORE',j,unpack(aS))local cP=aR(x[1])local Y,L=aR(x[2])local Z,A=0,L and cs(L)for q,u in ipairs(m)do local c=tonumber(x[q+2]or 0)if c>a then Z=Z+1 if cr[q]then table.insert(an,u)end elseif c>0 then A=A or bh(c)end end local t=bO and Z-bs or 0 if r and L==1 and k=='counter'then if F and-tonumber(x[2])/1024-ARGV[3]*1000+10>=as then F=math.min(F+b:sub(38),2^53-1)end L=nil end L=L or not bO and p and 3 or nil if not L and(r or Z>0 and cP==g and#an==bs)then L=1 local B={bp(r and 3 or 1),'t'..cw}if t==0 then an=m for bi in('tpw'):gmatch('.')do table.insert(an,bi..l)end B[3],B[4]=B[1],'t'..l if Z>0 and not r then local ci=a-g y=math.max(y==0 and ci or y+(ci-y)/8,0)end end for Y,u in ipairs(bz())do table.insert(an,u)end redis.call('ZREM',j,unpack(an))local U=redis.pcall('ZADD',j,unpack(B))if k=='semaphore'and not F then local z=redis.call('ZREVRANGEBYSCORE',j,4e15,a+1,'WITHSCORES','LIMIT',0,1)i=math.min(i,math.max(a,z[2]or 0,Q))end if n then K(k)end af()local X=D(redis.pcall)if Z==0 then for Y,C in ipairs({U,X})do if type(C)=='table'and C.err then return C end end end end if r or L==1 then return{'closed',a}end return{'lost',a,aw(l,math.huge,A)}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["6ecc74dd4eee3c4d9856ad41eb5df6f144d01623", "2c541346dac8cad155e4a130df701f5aaf33bf69"];
