// Generated from lua/semaphore-spend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, failed, fresh, keep, last_end, members, read_names, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSpendReply =
  | { readonly status: "spent"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "unset"; readonly now: number; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSpend: Script<readonly [retention: string | number, due: string | number, ...spends: (string | number)[]], SemaphoreSpendReply> = {
  lua: clock + fresh + read_names + failed + "local t=math.max(ARGV[2],math.ceil((ARGV[3]-a)/1000))local W={unpack(ARGV,4)}local I,V,U,p,S=nil,'','',{},nil for m,J in ipairs(KEYS)do if m%2==1 then S=J else local i,u,K,d=m/2,N[m-1],S,J local b,f,e,as,aj=unpack(W,(i-1)*5+1,i*5)local k=b:sub(1,36)e=tonumber(e)\n" + record + ending + keep + members + requests + last_end + semaphore + "local n,D,F=ac(b),0,nil local z,r={},{}local y=redis.call('ZMSCORE',d,'t'..k,'n'..k,unpack(n))local ad,q=Y(y[1])for d,b in ipairs(n)do local c=tonumber(y[d+2]or 0)if c>a then D=D+1 table.insert(r,b)table.insert(z,y[d+2])table.insert(z,b)elseif c>0 then F=ae(c)end end local c=G or tonumber(as)local E=q==6 and ao(y[2])==e local an=ad==tonumber(f)and D>0 if not E and not(an and D>=e)then I=I or R(k,math.huge,an and'R'or q and al(q)or F)V=V..i..' 'elseif not E and(j~='semaphore'or not c)then U=U..i..' 'elseif not E then local b=a-f A=math.max(A==0 and b or A+(b-A)/8,0)G,g=math.max(c-e,-9007199254740991),math.max(g,a+aj*1000)C(j)local s={ag(6),'t'..k}if e>0 then s[3],s[4]=ap(e),'n'..k end for I,b in ipairs(ah())do table.insert(r,b)end table.insert(p,{function()return T(redis.pcall)end,function()end})table.insert(p,{function()return x(redis.pcall)end,function()redis.call('SET',K,u,'KEEPTTL')end})table.insert(p,{function()return redis.pcall('ZADD',d,unpack(s))end,function()redis.call('ZADD',d,y[1],'t'..k)redis.pcall('ZREM',d,'n'..k)end})table.insert(p,{function()return redis.pcall('ZREM',d,unpack(r))end,function()redis.call('ZADD',d,unpack(z))end})end end end if I then return{'lost',a,I,V}end if U~=''then return{'unset',a,U}end for e,c in ipairs(p)do local i=E(c[1]())if i then for D=e-1,1,-1 do p[D][2]()end return i end end return{'spent',a}",
  replies: {
    spent: {},
    lost: { reason: "text", names: "text" },
    unset: { names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fdc6dae498072668c2c8eaf9efc69981d935c515", "7a9395fa8e44aae00d32bdbff5385325dfc1c5ad"];
