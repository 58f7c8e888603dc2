// Generated from lua/fair-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ended, failed, fair, fresh, keep, listen, lock, queue, read_name, record } from "../parts.gen.ts";
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
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ended + crowd + keep + failed + "local m='fair'\n" + lock + fair + listen + "local r,q,j=ARGV[2],ARGV[5],tonumber(ARGV[7])local b=r:sub(1,36)if D(m)then return{'kind',a,i}end if y(b)then return H()end local n,d=R()local x,P=math.max(n-a,0),math.max(a-h,0)local c,t=l[b],{}if not c then if d>0 and q~=''and q==M then if ARGV[6]=='0'then return{'not_reentrant',a,x}end if d==64 then return{'too_many_holds',a}end elseif d>0 or j>0 or o>a then\n" + queue + "local function h(c,i)local d,a=0,{}for j=3,#c,2 do a[c[j]]=true end for K,b in ipairs(i)do if a['p'..b:sub(2)]then d=d+1 end end return d end local k,f,i='p'..r,0,{}if j==0 and d==0 and o>a then local h=redis.call('ZSCORE',e,k)if h then j=aa(h)end end if j>0 then local c=redis.call('ZREVRANGEBYSCORE',e,ar(j),4.5e15,'WITHSCORES','LIMIT',0,100+1)if c[1]~=k or aa(c[2])~=j then return{'held',a,x,P,C,0,1,0,0}end f=#c/2-1 if f>0 and d==0 then i=redis.call('ZRANGEBYSCORE',e,-a,a,'LIMIT',0,8)t=X(i,r)f=f-h(c,i)end elseif o>a and(j==0 or d==0)then f=aF()end if d>0 or f>0 then local E,u,H=0,0,nil if j>=0 then u,H=ae(b,ARGV[9],'w')if#i==8 then E=20000 elseif ARGV[10]=='1'or u==1 and d>0 then E=math.floor(math.min(2000000,x+1000))else E=aw(f,C,z,P,x)end local h,X=a+E+ARGV[8]*1000,j==0 local c=X and f==0 or h>math.min(o,g)if X then j=math.max(J+1,a)end if aA(r,j,h)>1 then J=j elseif X then j,f=aa(redis.call('ZSCORE',e,k)),math.max(f-1,0)end if c then o=math.max(o,2*h-a)g=math.max(g,o)redis.call('PEXPIRE',e,math.ceil((o-a)/1000)+v)end if X or c or S or H then I()s()end if#t>0 then redis.call('ZREM',e,unpack(t))end end return{'held',a,x,P,C,f,E,j,u}end if j==J then o=0 end end if d==0 then h,M,U=math.max(h+1,a),q,r:sub(36+2)end c=a+ARGV[3]*1000 l[b],g,d=c,math.max(g,c),d+1 I()W(b)s()if j>0 or d>1 then table.insert(t,'p'..r)table.insert(t,'w'..r)end if#t>0 then redis.pcall('ZREM',e,unpack(t))end end return{'granted',a,h,c-a,d}",
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
export const sha: readonly [plain: string, flagged: string] = ["1785e6b146ec1df3af480bc35647c7377d2d74b6", "fda48dcaa74344362ffb5f41608be2e0858a6ecf"];
