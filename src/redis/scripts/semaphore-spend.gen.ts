// Generated from lua/semaphore-spend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, failed, fresh, keep, last_end, members, read_names, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSpendReply =
  | { readonly status: "spent"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "unset"; readonly now: number; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSpend: Script<readonly [retention: string | number, due: string | number, ...spends: (string | number)[]], SemaphoreSpendReply> = {
  lua: clock + fresh + read_names + failed + "local s=math.max(ARGV[2],math.ceil((ARGV[3]-a)/1000))local ar={unpack(ARGV,4)}local H,O,V,r,R=nil,'','',{},nil for m,J in ipairs(KEYS)do if m%2==1 then R=J else local j,u,M,d=m/2,W[m-1],R,J local b,g,e,as,aj=unpack(ar,(j-1)*5+1,j*5)local k=b:sub(1,36)e=tonumber(e)\n" + record + ending + keep + members + requests + last_end + semaphore + "local l,F,D=ab(b),0,nil local A,t={},{}local w=redis.call('ZMSCORE',d,'t'..k,'n'..k,unpack(l))local ad,p=X(w[1])for d,b in ipairs(l)do local c=tonumber(w[d+2]or 0)if c>a then F=F+1 table.insert(t,b)table.insert(A,w[d+2])table.insert(A,b)elseif c>0 then D=ae(c)end end local c=E or tonumber(as)local C=p==6 and ao(w[2])==e local ac=ad==tonumber(g)and F>0 if not C and not(ac and F>=e)then H=H or T(k,math.huge,ac and'R'or p and al(p)or D)O=O..j..' 'elseif not C and(i~='semaphore'or not c)then V=V..j..' 'elseif not C then local b=a-g z=math.max(z==0 and b or z+(b-z)/8,0)E,f=math.max(c-e,-9007199254740991),math.max(f,a+aj*1000)I(i)local q={ag(6),'t'..k}if e>0 then q[3],q[4]=ap(e),'n'..k end for H,b in ipairs(ah())do table.insert(t,b)end table.insert(r,{function()return P(redis.pcall)end,function()end})table.insert(r,{function()return y(redis.pcall)end,function()redis.call('SET',M,u,'KEEPTTL')end})table.insert(r,{function()return redis.pcall('ZADD',d,unpack(q))end,function()redis.call('ZADD',d,w[1],'t'..k)redis.pcall('ZREM',d,'n'..k)end})table.insert(r,{function()return redis.pcall('ZREM',d,unpack(t))end,function()redis.call('ZADD',d,unpack(A))end})end end end if H then return{'lost',a,H,O}end if V~=''then return{'unset',a,V}end for e,c in ipairs(r)do local j=C(c[1]())if j then for D=e-1,1,-1 do r[D][2]()end return j end end return{'spent',a}",
  replies: {
    spent: {},
    lost: { reason: "text", names: "text" },
    unset: { names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["04dd6b826d0a8004b882691a960cdce467adb911", "8588977dae40228a4238e1565ff2172aa7bccc7b"];
