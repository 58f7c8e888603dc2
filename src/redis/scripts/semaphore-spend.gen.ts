// Generated from lua/semaphore-spend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, failed, fresh, keep, last_end, listen, members, read_names, record, requests, semaphore, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSpendReply =
  | { readonly status: "spent"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "unset"; readonly now: number; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSpend: Script<readonly [retention: string | number, due: string | number, ...spends: (string | number)[]], SemaphoreSpendReply> = {
  lua: clock + fresh + read_names + failed + "local w=math.max(ARGV[2],math.ceil((ARGV[3]-a)/1000))local Y={unpack(ARGV,4)}local P,aa,Z,t,m=nil,'','',{},nil for C,L in ipairs(KEYS)do if C%2==1 then m=L else local i,y,M,d=C/2,Q[C-1],m,L local b,f,e,ax,an=unpack(Y,(i-1)*5+1,i*5)local k=b:sub(1,36)e=tonumber(e)\n" + record + ending + keep + members + requests + last_end + semaphore + listen + wake + wake_head + "local n,G,q=ag(b),0,nil local A,u={},{}local z=redis.call('ZMSCORE',d,'t'..k,'n'..k,unpack(n))local aj,r=ad(z[1])for d,b in ipairs(n)do local c=tonumber(z[d+2]or 0)if c>a then G=G+1 table.insert(u,b)table.insert(A,z[d+2])table.insert(A,b)elseif c>0 then q=ak(c)end end local c=J or tonumber(ax)local B=r==6 and az(z[2])==e local ar=aj==tonumber(f)and G>0 if not B and not(ar and G>=e)then P=P or U(k,math.huge,ar and'R'or r and av(r)or q)aa=aa..i..' 'elseif not B and(j~='semaphore'or not c)then Z=Z..i..' 'elseif not B then local b=a-f F=math.max(F==0 and b or F+(b-F)/8,0)J,h=math.max(c-e,-9007199254740991),math.max(h,a+an*1000)H(j)local q={am(6),'t'..k}if e>0 then q[3],q[4]=aA(e),'n'..k end for C,b in ipairs(aq())do table.insert(u,b)end table.insert(t,{function()return V(redis.pcall)end,function()end})table.insert(t,{function()if p>a then ai(0)else ac(G-e)end return s(redis.pcall)end,function()redis.call('SET',M,y,'KEEPTTL')end})table.insert(t,{function()return redis.pcall('ZADD',d,unpack(q))end,function()redis.call('ZADD',d,z[1],'t'..k)redis.pcall('ZREM',d,'n'..k)end})table.insert(t,{function()return redis.pcall('ZREM',d,unpack(u))end,function()redis.call('ZADD',d,unpack(A))end})end end end if P then return{'lost',a,P,aa}end if Z~=''then return{'unset',a,Z}end for d,b in ipairs(t)do local i=B(b[1]())if i then for m=d-1,1,-1 do t[m][2]()end return i end end return{'spent',a}",
  replies: {
    spent: {},
    lost: { reason: "text", names: "text" },
    unset: { names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["7e028d8acb9479e350fbe04693dd7c2f1e59e521", "11947a6c9da52419aae28f931877bc1052eb88ea"];
