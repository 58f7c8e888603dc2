// Generated from lua/fair-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ended, failed, fair_body, fresh, keep, listen, lock, queue, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number; readonly listed: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, reentrant: string | number, ticket: string | number, grace: string | number, listens: string | number, ownPace: string | number], FairAcquireReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ended + crowd + keep + failed + "local m='fair'\n" + lock + fair_body + listen + "local r,t,i=ARGV[2],ARGV[5],tonumber(ARGV[7])local b=r:sub(1,36)if E(m)then return{'kind',a,j}end if x(b)then return G()end local n,e=R()local A,P=math.max(n-a,0),math.max(a-g,0)local c,u=l[b],{}if not c then if e>0 and t~=''and t==J then if ARGV[6]=='0'then return{'not_reentrant',a,A}end if e==64 then return{'too_many_holds',a}end elseif e>0 or i>0 or p>a then\n" + queue + "local function g(c,j)local e,a=0,{}for i=3,#c,2 do a[c[i]]=true end for C,b in ipairs(j)do if a['p'..b:sub(2)]then e=e+1 end end return e end local k,f,j='p'..r,0,{}if i==0 and e==0 and p>a then local g=redis.call('ZSCORE',d,k)if g then i=an(g)end end if i>0 then local c=redis.call('ZREVRANGEBYSCORE',d,ar(i),4.5e15,'WITHSCORES','LIMIT',0,100+1)if c[1]~=k or an(c[2])~=i then return{'held',a,A,P,F,0,1,0,0}end f=#c/2-1 if f>0 and e==0 then j=redis.call('ZRANGEBYSCORE',d,-a,a,'LIMIT',0,8)u=aj(j,r)f=f-g(c,j)end elseif p>a and(i==0 or e==0)then f=ax()end if e>0 or f>0 then local m,v,q=0,0,nil if i>=0 then v,q=ae(b,ARGV[9],'w')if#j==8 then m=20000 elseif ARGV[10]=='1'or v==1 and e>0 then m=math.floor(math.min(2000000,A+1000))else m=ay(f,F,L,P,A)end local g,U=a+m+ARGV[8]*1000,i==0 local c=U and f==0 or g>math.min(p,h)if U then i=math.max(K+1,a)end if aC(r,i,g)>1 then K=i elseif U then i,f=an(redis.call('ZSCORE',d,k)),math.max(f-1,0)end if c then p=math.max(p,2*g-a)h=math.max(h,p)redis.call('PEXPIRE',d,math.ceil((p-a)/1000)+w)end if U or c or T or q then ak()s()end if#u>0 then redis.call('ZREM',d,unpack(u))end end return{'held',a,A,P,F,f,m,i,v}end if i==K then p=0 end end if e==0 then g,J,W=math.max(g+1,a),t,r:sub(36+2)end c=a+ARGV[3]*1000 l[b],h,e=c,math.max(h,c),e+1 ak()X(b)s()if i>0 or e>1 then table.insert(u,'p'..r)table.insert(u,'w'..r)end if#u>0 then redis.pcall('ZREM',d,unpack(u))end end return{'granted',a,g,c-a,e}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", ahead: "integer", back: "integer", ticket: "integer", listed: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["2d052a67c06bea3f367f492a54f368882d86e2c3", "c2ec39dea3b26783443e01a7cef691dce3562cc6"];
