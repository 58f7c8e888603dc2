// Generated from lua/semaphore-spend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, failed, fresh, keep, last_end, listen, members, read_names, record, requests, semaphore, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSpendReply =
  | { readonly status: "spent"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "unset"; readonly now: number; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSpend: Script<readonly [retention: string | number, due: string | number, ...spends: (string | number)[]], SemaphoreSpendReply> = {
  lua: clock + fresh + read_names + failed + "local v=math.max(ARGV[2],math.ceil((ARGV[3]-a)/1000))local aa={unpack(ARGV,4)}local K,Y,X,q,U=nil,'','',{},nil for m,M in ipairs(KEYS)do if m%2==1 then U=M else local j,w,L,e=m/2,P[m-1],U,M local b,f,d,aA,ar=unpack(aa,(j-1)*5+1,j*5)local k=b:sub(1,36)d=tonumber(d)\n" + record + ending + keep + members + requests + last_end + semaphore + listen + wake + wake_head + "local n,E,I=ag(b),0,nil local x,t={},{}local z=redis.call('ZMSCORE',e,'t'..k,'n'..k,unpack(n))local ai,r=ac(z[1])for d,b in ipairs(n)do local c=tonumber(z[d+2]or 0)if c>a then E=E+1 table.insert(t,b)table.insert(x,z[d+2])table.insert(x,b)elseif c>0 then I=aj(c)end end local c=H or tonumber(aA)local A=r==6 and ax(z[2])==d local au=ai==tonumber(f)and E>0 if not A and not(au and E>=d)then K=K or T(k,math.huge,au and'R'or r and at(r)or I)Y=Y..j..' 'elseif not A and(i~='semaphore'or not c)then X=X..j..' 'elseif not A then local b=a-f C=math.max(C==0 and b or C+(b-C)/8,0)H,g=math.max(c-d,-9007199254740991),math.max(g,a+ar*1000)F(i)local u={al(6),'t'..k}if d>0 then u[3],u[4]=ay(d),'n'..k end for K,b in ipairs(ao())do table.insert(t,b)end table.insert(q,{function()return V(redis.pcall)end,function()end})table.insert(q,{function()if o>a then an(0)else Z(E-d)end return s(redis.pcall)end,function()redis.call('SET',L,w,'KEEPTTL')end})table.insert(q,{function()return redis.pcall('ZADD',e,unpack(u))end,function()redis.call('ZADD',e,z[1],'t'..k)redis.pcall('ZREM',e,'n'..k)end})table.insert(q,{function()return redis.pcall('ZREM',e,unpack(t))end,function()redis.call('ZADD',e,unpack(x))end})end end end if K then return{'lost',a,K,Y}end if X~=''then return{'unset',a,X}end for d,b in ipairs(q)do local j=A(b[1]())if j then for E=d-1,1,-1 do q[E][2]()end return j end end return{'spent',a}",
  replies: {
    spent: {},
    lost: { reason: "text", names: "text" },
    unset: { names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b8078d7df5606e9b43b0a228cfd68b07d9a05d83", "463c11d3f7bc6ad1afc4ed18631cdf8dedd52ed0"];
