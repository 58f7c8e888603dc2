// Generated from lua/fair-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fair, fresh, lock, queue, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, ticket: string | number, grace: string | number], FairAcquireReply> = {
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + "local k='fair'\n" + lock + fair + queue + "local b,o,x=ARGV[2],ARGV[5],tonumber(ARGV[8])if z(k)then return{'kind',a,h}end if t(b)then return{'closed',a}end local m,f=L()local y,O=math.max(m-a,0),math.max(a-e,0)local c,H=l[b],{'held',a,y,O,v,0,1,0}if not c then if f>0 and o~=''and o==B then if ARGV[7]=='0'then return{'not_reentrant',a,y}end if f==64 then return{'too_many_holds',a}end else local j,c,e='p'..b,0,{}local function d()local c=redis.call('ZREVRANGEBYSCORE',i,ae(x),4.5e15,'WITHSCORES','LIMIT',0,100+1)return c[1]==j and ad(c[2])==x and#c/2-1 end if x>0 then c=d()if not c then return H end if c>0 and f==0 then e=redis.call('ZRANGEBYSCORE',i,-a,a,'LIMIT',0,8)if e[1]then at(e,b)c=d()end end elseif n>a and(x==0 or f==0)then c=as()end if f>0 or c>0 then local J=0 if x>=0 then J=#e==8 and 20000 or aj(c,v,u,O,y)local d,P=a+J+ARGV[9]*1000,x==0 local f=P and c==0 or d>math.min(n,g)if P then x=math.max(C+1,a)end if am(b,x,d)>1 then C=x elseif P then x,c=ad(redis.call('ZSCORE',i,j)),math.max(c-1,0)end if f then n=math.max(n,2*d-a)g=math.max(g,n)redis.call('PEXPIRE',i,math.ceil((n-a)/1000)+q)end if P or f or T then M()w()end end return{'held',a,y,O,v,c,J,x}end if x==C then n=0 end end if f==0 then e,B,E=math.max(e+1,a),o,ARGV[6]end c=a+ARGV[3]*1000 l[b],g,f=c,math.max(g,c),f+1 M()if x>0 or f>1 then al(b)end w()end return{'granted',a,e,c-a,f}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", ahead: "integer", back: "integer", ticket: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["48bc6f5de4355d6a280417efc8907f7de849f969", "1369029154b07e409a587637478b18538c624d4b"];
