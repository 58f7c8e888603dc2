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
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + "local k='fair'\n" + lock + fair + queue + "local b,o,t=ARGV[2],ARGV[5],tonumber(ARGV[8])if z(k)then return{'kind',a,h}end if u(b)then return{'closed',a}end local m,d=M()local y,P=math.max(m-a,0),math.max(a-f,0)local c,B=l[b],{'held',a,y,P,w,0,1,0}if not c then if d>0 and o~=''and o==E then if ARGV[7]=='0'then return{'not_reentrant',a,y}end if d==64 then return{'too_many_holds',a}end else local j,c,e='p'..b,0,{}local function f()local c=redis.call('ZREVRANGEBYSCORE',i,ah(t),4.5e15,'WITHSCORES','LIMIT',0,100+1)return c[1]==j and af(c[2])==t and#c/2-1 end if t>0 then c=f()if not c then return B end if c>0 and d==0 then e=redis.call('ZRANGEBYSCORE',i,-a,a,'LIMIT',0,8)if e[1]then at(e,b)c=f()end end elseif n>a and(t==0 or d==0)then c=as()end if d>0 or c>0 then local I=0 if t>=0 then I=#e==8 and 20000 or aj(c,w,v,P,y)local d,K=a+I+ARGV[9]*1000,t==0 local f=K and c==0 or d>math.min(n,g)if K then t=math.max(C+1,a)end if am(b,t,d)>1 then C=t elseif K then t,c=af(redis.call('ZSCORE',i,j)),math.max(c-1,0)end if f then n=math.max(n,2*d-a)g=math.max(g,n)redis.call('PEXPIRE',i,math.ceil((n-a)/1000)+q)end if K or f or U then N()x()end end return{'held',a,y,P,w,c,I,t}end if t==C then n=0 end end if d==0 then f,E,Q=math.max(f+1,a),o,ARGV[6]end c=a+ARGV[3]*1000 l[b],g,d=c,math.max(g,c),d+1 N()if t>0 or d>1 then al(b)end x()end return{'granted',a,f,c-a,d}",
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
export const sha: readonly [plain: string, flagged: string] = ["c7990945fbc26b7067b73f9ad99c9c4918f49c5d", "a97f2cbbcc95c0439b616ba7ea79fbd670526bfa"];
