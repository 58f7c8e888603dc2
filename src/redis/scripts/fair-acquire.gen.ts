// Generated from lua/fair-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ended, fair, fresh, lock, queue, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, reentrant: string | number, ticket: string | number, grace: string | number], FairAcquireReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ended + crowd + "local k='fair'\n" + lock + fair + queue + "local function g(c,f)local d,a=0,{}for i=3,#c,2 do a[c[i]]=true end for C,b in ipairs(f)do if a['p'..b:sub(2)]then d=d+1 end end return d end local o,p,C=ARGV[2],ARGV[5],tonumber(ARGV[7])local b=o:sub(1,36)if y(k)then return{'kind',a,h}end if u(b)then return M()end local n,d=L()local z,R=math.max(n-a,0),math.max(a-f,0)local c,E=l[b],{'held',a,z,R,x,0,1,0}if not c then if d>0 and p~=''and p==D then if ARGV[6]=='0'then return{'not_reentrant',a,z}end if d==64 then return{'too_many_holds',a}end else local j,b,f='p'..o,0,{}if C==0 and d==0 and m>a then local f=redis.call('ZSCORE',i,j)if f then C=ab(f)end end if C>0 then local c=redis.call('ZREVRANGEBYSCORE',i,ai(C),4.5e15,'WITHSCORES','LIMIT',0,100+1)if c[1]~=j or ab(c[2])~=C then return E end b=#c/2-1 if b>0 and d==0 then f=redis.call('ZRANGEBYSCORE',i,-a,a,'LIMIT',0,8)av(f,o)b=b-g(c,f)end elseif m>a and(C==0 or d==0)then b=au()end if d>0 or b>0 then local J=0 if C>=0 then J=#f==8 and 20000 or al(b,x,w,R,z)local d,T=a+J+ARGV[8]*1000,C==0 local c=T and b==0 or d>math.min(m,e)if T then C=math.max(A+1,a)end if ap(o,C,d)>1 then A=C elseif T then C,b=ab(redis.call('ZSCORE',i,j)),math.max(b-1,0)end if c then m=math.max(m,2*d-a)e=math.max(e,m)redis.call('PEXPIRE',i,math.ceil((m-a)/1000)+s)end if T or c or O then S()v()end end return{'held',a,z,R,x,b,J,C}end if C==A then m=0 end end if d==0 then f,D,Q=math.max(f+1,a),p,o:sub(36+2)end c=a+ARGV[3]*1000 l[b],e,d=c,math.max(e,c),d+1 S()if C>0 or d>1 then ao(o)end v()end return{'granted',a,f,c-a,d}",
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
export const sha: readonly [plain: string, flagged: string] = ["15e11c8edd3babe925235520106a68903e6ceb3d", "4320f743dcab76706bb60d3fa24182d28fcede8f"];
