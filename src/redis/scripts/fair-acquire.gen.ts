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
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ended + crowd + "local l='fair'\n" + lock + fair + "local o,p,E=ARGV[2],ARGV[5],tonumber(ARGV[7])local b=o:sub(1,36)if A(l)then return{'kind',a,h}end if v(b)then return M()end local j,d=N()local z,R=math.max(j-a,0),math.max(a-f,0)local c,r=m[b],{}if not c then if d>0 and p~=''and p==P then if ARGV[6]=='0'then return{'not_reentrant',a,z}end if d==64 then return{'too_many_holds',a}end elseif d>0 or E>0 or n>a then\n" + queue + "local function g(c,f)local d,a=0,{}for i=3,#c,2 do a[c[i]]=true end for E,b in ipairs(f)do if a['p'..b:sub(2)]then d=d+1 end end return d end local k,b,f='p'..o,0,{}if E==0 and d==0 and n>a then local f=redis.call('ZSCORE',i,k)if f then E=ac(f)end end if E>0 then local c=redis.call('ZREVRANGEBYSCORE',i,aj(E),4.5e15,'WITHSCORES','LIMIT',0,100+1)if c[1]~=k or ac(c[2])~=E then return{'held',a,z,R,B,0,1,0}end b=#c/2-1 if b>0 and d==0 then f=redis.call('ZRANGEBYSCORE',i,-a,a,'LIMIT',0,8)r=T(f,o)b=b-g(c,f)end elseif n>a and(E==0 or d==0)then b=au()end if d>0 or b>0 then local L=0 if E>=0 then L=#f==8 and 20000 or am(b,B,y,R,z)local d,T=a+L+ARGV[8]*1000,E==0 local c=T and b==0 or d>math.min(n,e)if T then E=math.max(u+1,a)end if ao(o,E,d)>1 then u=E elseif T then E,b=ac(redis.call('ZSCORE',i,k)),math.max(b-1,0)end if c then n=math.max(n,2*d-a)e=math.max(e,n)redis.call('PEXPIRE',i,math.ceil((n-a)/1000)+t)end if T or c or Q then D()x()end if#r>0 then redis.call('ZREM',i,unpack(r))end end return{'held',a,z,R,B,b,L,E}end if E==u then n=0 end end if d==0 then f,P,S=math.max(f+1,a),p,o:sub(36+2)end c=a+ARGV[3]*1000 m[b],e,d=c,math.max(e,c),d+1 D()x()if E>0 or d>1 then table.insert(r,'p'..o)table.insert(r,'w'..o)end if#r>0 then redis.pcall('ZREM',i,unpack(r))end end return{'granted',a,f,c-a,d}",
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
export const sha: readonly [plain: string, flagged: string] = ["53e1a681bde148640d40b57d924d629828646105", "6c560aaa70cf33b04c2bb4dc2fd1a64204335723"];
