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
  lua: "local r=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + "local l='fair'\n" + lock + fair + queue + "local b,o,z=ARGV[2],ARGV[5],tonumber(ARGV[8])if B(l)then return{'kind',a,h}end if v(b)then return{'closed',a}end local q,d=M()local u,N=math.max(q-a,0),math.max(a-f,0)local c,C=m[b],{'held',a,u,N,x,0,1,0}if not c then if d>0 and o~=''and o==F then if ARGV[7]=='0'then return{'not_reentrant',a,u}end if d==64 then return{'too_many_holds',a}end else local j,c,e='p'..b,0,{}local function f()local c=redis.call('ZREVRANGEBYSCORE',i,ag(z),4.5e15,'WITHSCORES','LIMIT',0,100+1)return c[1]==j and ae(c[2])==z and#c/2-1 end if z>0 then c=f()if not c then return C end if c>0 and d==0 then e=redis.call('ZRANGEBYSCORE',i,-a,a,'LIMIT',0,8)if e[1]then ar(e,b)c=f()end end elseif n>a and(z==0 or d==0)then c=aq()end if d>0 or c>0 then local H=0 if z>=0 then H=#e==8 and 20000 or aj(c,x,w,N,u)local d,P=a+H+ARGV[9]*1000,z==0 local f=P and c==0 or d>math.min(n,g)if P then z=math.max(D+1,a)end if am(b,z,d)>1 then D=z elseif P then z,c=ae(redis.call('ZSCORE',i,j)),math.max(c-1,0)end if f then n=math.max(n,2*d-a)g=math.max(g,n)redis.call('PEXPIRE',i,math.ceil((n-a)/1000)+r)end if P or f or U then K()y()end end return{'held',a,u,N,x,c,H,z}end if z==D then n=0 end end if d==0 then f,F,Q=math.max(f+1,a),o,ARGV[6]end c=a+ARGV[3]*1000 m[b],g,d=c,math.max(g,c),d+1 K()if z>0 or d>1 then al(b)end y()end return{'granted',a,f,c-a,d}",
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
export const sha: readonly [plain: string, flagged: string] = ["d5cdc9b12077f5c7c7f526a0ec8d4168acf9184b", "28664c15cba9386b47166cf0a31d5dc77674a5f4"];
