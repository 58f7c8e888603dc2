// Generated from lua/semaphore-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, failed, keep, last_end, last_end_besides, listen, members, read_name, record, requests, semaphore, vacate, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const semaphoreClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ...permits: (string | number)[]], SemaphoreCloseReply> = {
  lua: clock + "local v=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))\n" + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + members + requests + last_end + semaphore + last_end_besides + listen + wake + wake_head + "local aB,aa,aA=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,f=aB or ARGV[1],tonumber(ARGV[2])local k,d=b:sub(1,36),aa or ARGV[1]:sub(1,36)local t,m=f==0,i=='semaphore'or i=='counter'local q=y(k)if not m and i~='none'then if t then return q and{'closed',a}or Y(k,ARGV[4]+0)end return{'lost',a,T(k,f)}end local n,M,c=ag(b),{},0 local P,U={'t'..k,'t'..d},{}for j in(aA or''):gmatch('%d+')do M[tonumber(j)],c=true,c+1 end for j,b in ipairs(n)do P[j+2]=b end local z=redis.call('ZMSCORE',e,unpack(P))local ai=ac(z[1])local K,r,j=ac(z[2])local E,I=0,r and at(r)for j,b in ipairs(n)do local c=tonumber(z[j+2]or 0)if c>a then E=E+1 if M[j]then table.insert(U,b)end elseif c>0 then I=I or aj(c)end end local x,au=aa and E-c or 0,0 if t and r==1 and i=='counter'then if H and j-ARGV[3]*1000+10>=ab then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,o)end au=a H,o=math.min(H+a,9007199254740991),math.max(o-a,0)end r=nil end r=r or not aa and q and 3 or nil if not r and(t or E>0 and ai==f and#U==c)then r=1 local u={al(t and 3 or 1),'t'..d}if x==0 then U=n local r=k..(b:match('@.*')or'')table.insert(U,'p'..r)table.insert(U,'w'..r)u[3],u[4]=u[1],'t'..k if E>0 and not t then local b=a-f C=math.max(C==0 and b or C+(b-C)/8,0)end end if i=='none'then g=ar(U)if g>0 then F('semaphore')end elseif i=='semaphore'and not H then g=math.min(g,math.max(a,ar(U),o))end if m then F(i)end for K,b in ipairs(ao())do table.insert(U,b)end redis.call('ZREM',e,unpack(U))local j=A(redis.pcall('ZADD',e,unpack(u)))if j and E==0 then return j end W(k)if i=='semaphore'and o>a then an(0)else Z(math.max(au,E-x))end j=A(V(redis.pcall))or A(s(redis.pcall))if j and E==0 then redis.call('ZREM',e,'t'..d)if z[2]then redis.call('ZADD',e,z[2],'t'..d)end return j end end if t or r==1 then return{'closed',a}end return{'lost',a,T(k,math.huge,I)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b9049b8ff3f136a671ac12e95ee089c9aa8191af", "a0b02a8395407b2a0f5d4576d774e15acc74525c"];
