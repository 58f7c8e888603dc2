// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, failed, keep, last_end, last_end_besides, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local t=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + members + requests + last_end + semaphore + last_end_besides + "local as,i,an=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,f=as or ARGV[1],tonumber(ARGV[2])local k,e=b:sub(1,36),i or ARGV[1]:sub(1,36)local r,m=f==0,j=='semaphore'or j=='counter'local p=w(k)if not m and j~='none'then if r then return p and{'closed',a}or V(k,ARGV[4]+0)end return{'lost',a,R(k,f)}end local n,J,c=ac(b),{},0 local N,S={'t'..k,'t'..e},{}for i in(an or''):gmatch('%d+')do J[tonumber(i)],c=true,c+1 end for i,b in ipairs(n)do N[i+2]=b end local y=redis.call('ZMSCORE',d,unpack(N))local ad=Y(y[1])local I,q,W=Y(y[2])local D,F=0,q and al(q)for i,b in ipairs(n)do local c=tonumber(y[i+2]or 0)if c>a then D=D+1 if J[i]then table.insert(S,b)end elseif c>0 then F=F or ae(c)end end local z=i and D-c or 0 if r and q==1 and j=='counter'then if G and W-ARGV[3]*1000+10>=X then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,o)end G,o=math.min(G+a,9007199254740991),math.max(o-a,0)end q=nil end q=q or not i and p and 3 or nil if not q and(r or D>0 and ad==f and#S==c)then q=1 local s={ag(r and 3 or 1),'t'..e}if z==0 then S=n local q=k..(b:match('@.*')or'')table.insert(S,'p'..q)table.insert(S,'w'..q)s[3],s[4]=s[1],'t'..k if D>0 and not r then local b=a-f A=math.max(A==0 and b or A+(b-A)/8,0)end end if j=='none'then g=aj(S)if g>0 then C('semaphore')end elseif j=='semaphore'and not G then g=math.min(g,math.max(a,aj(S),o))end if m then C(j)end for I,b in ipairs(ah())do table.insert(S,b)end redis.call('ZREM',d,unpack(S))local i=E(redis.pcall('ZADD',d,unpack(s)))if i and D==0 then return i end i=E(T(redis.pcall))or E(x(redis.pcall))if i and D==0 then redis.call('ZREM',d,'t'..e)if y[2]then redis.call('ZADD',d,y[2],'t'..e)end return i end end if r or q==1 then return{'closed',a}end return{'lost',a,R(k,math.huge,F)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["821e3106fecc09c9f238f16064ef6f5f7e48e77b", "9600fc3d7f00d1f762b80ce5b667877f16dd92e8"];
