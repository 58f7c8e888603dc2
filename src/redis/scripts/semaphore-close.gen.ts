// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, failed, keep, last_end, last_end_besides, members, read_name, record, requests, semaphore, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local s=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + members + requests + last_end + semaphore + last_end_besides + "local as,j,ar=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,g=as or ARGV[1],tonumber(ARGV[2])local k,e=b:sub(1,36),j or ARGV[1]:sub(1,36)local t,m=g==0,i=='semaphore'or i=='counter'local r=x(k)if not m and i~='none'then if t then return r and{'closed',a}or ac(k,ARGV[4]+0)end return{'lost',a,T(k,g)}end local l,R,c=ab(b),{},0 local J,O={'t'..k,'t'..e},{}for j in(ar or''):gmatch('%d+')do R[tonumber(j)],c=true,c+1 end for j,b in ipairs(l)do J[j+2]=b end local w=redis.call('ZMSCORE',d,unpack(J))local ad=X(w[1])local H,p,W=X(w[2])local F,D=0,p and al(p)for j,b in ipairs(l)do local c=tonumber(w[j+2]or 0)if c>a then F=F+1 if R[j]then table.insert(O,b)end elseif c>0 then D=D or ae(c)end end local A=j and F-c or 0 if t and p==1 and i=='counter'then if E and W-ARGV[3]*1000+10>=U then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,o)end E,o=math.min(E+a,9007199254740991),math.max(o-a,0)end p=nil end p=p or not j and r and 3 or nil if not p and(t or F>0 and ad==g and#O==c)then p=1 local q={ag(t and 3 or 1),'t'..e}if A==0 then O=l local p=k..(b:match('@.*')or'')table.insert(O,'p'..p)table.insert(O,'w'..p)q[3],q[4]=q[1],'t'..k if F>0 and not t then local b=a-g z=math.max(z==0 and b or z+(b-z)/8,0)end end if i=='none'then f=aj(O)if f>0 then I('semaphore')end elseif i=='semaphore'and not E then f=math.min(f,math.max(a,aj(O),o))end if m then I(i)end for H,b in ipairs(ah())do table.insert(O,b)end redis.call('ZREM',d,unpack(O))local j=C(redis.pcall('ZADD',d,unpack(q)))if j and F==0 then return j end j=C(P(redis.pcall))or C(y(redis.pcall))if j and F==0 then redis.call('ZREM',d,'t'..e)if w[2]then redis.call('ZADD',d,w[2],'t'..e)end return j end end if t or p==1 then return{'closed',a}end return{'lost',a,T(k,math.huge,D)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["afad0cdf07924a7efd3e981db52a1297c32ec0f0", "2c6a9def95569fb6ce53241a2eadda74d1044554"];
