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
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ended + crowd + "local k='fair'\n" + lock + fair + queue + "local function q(c,f)local d,a=0,{}for i=3,#c,2 do a[c[i]]=true end for C,b in ipairs(f)do if a['p'..b:sub(2)]then d=d+1 end end return d end local o,p,C=ARGV[2],ARGV[5],tonumber(ARGV[7])local b=o:sub(1,36)if z(k)then return{'kind',a,h}end if u(b)then return R()end local n,d=L()local y,Q=math.max(n-a,0),math.max(a-g,0)local c,E=m[b],{'held',a,y,Q,x,0,1,0}if not c then if d>0 and p~=''and p==D then if ARGV[6]=='0'then return{'not_reentrant',a,y}end if d==64 then return{'too_many_holds',a}end else local j,b,f='p'..o,0,{}if C==0 and d==0 and l>a then local g=redis.call('ZSCORE',i,j)if g then C=aa(g)end end if C>0 then local c=redis.call('ZREVRANGEBYSCORE',i,ai(C),4.5e15,'WITHSCORES','LIMIT',0,100+1)if c[1]~=j or aa(c[2])~=C then return E end b=#c/2-1 if b>0 and d==0 then f=redis.call('ZRANGEBYSCORE',i,-a,a,'LIMIT',0,8)av(f,o)b=b-q(c,f)end elseif l>a and(C==0 or d==0)then b=au()end if d>0 or b>0 then local J=0 if C>=0 then J=#f==8 and 20000 or al(b,x,w,Q,y)local d,T=a+J+ARGV[8]*1000,C==0 local c=T and b==0 or d>math.min(l,e)if T then C=math.max(A+1,a)end if ao(o,C,d)>1 then A=C elseif T then C,b=aa(redis.call('ZSCORE',i,j)),math.max(b-1,0)end if c then l=math.max(l,2*d-a)e=math.max(e,l)redis.call('PEXPIRE',i,math.ceil((l-a)/1000)+s)end if T or c or O then S()v()end end return{'held',a,y,Q,x,b,J,C}end if C==A then l=0 end end if d==0 then g,D,M=math.max(g+1,a),p,o:sub(36+2)end c=a+ARGV[3]*1000 m[b],e,d=c,math.max(e,c),d+1 S()if C>0 or d>1 then an(o)end v()end return{'granted',a,g,c-a,d}",
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
export const sha: readonly [plain: string, flagged: string] = ["ddeeb13993f8579b251a4b1bb3199dcce858357f", "aafc0186a26acbd6cfaa166e17fc854c0b759aaf"];
