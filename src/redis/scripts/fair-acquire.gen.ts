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
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ended + crowd + "local m='fair'\n" + lock + fair + "local o,p,E=ARGV[2],ARGV[5],tonumber(ARGV[7])local b=o:sub(1,36)if B(m)then return{'kind',a,i}end if v(b)then return M()end local k,e=N()local A,R=math.max(k-a,0),math.max(a-g,0)local c,r=n[b],{}if not c then if e>0 and p~=''and p==P then if ARGV[6]=='0'then return{'not_reentrant',a,A}end if e==64 then return{'too_many_holds',a}end elseif e>0 or E>0 or j>a then\n" + queue + "local function h(c,g)local e,a=0,{}for j=3,#c,2 do a[c[j]]=true end for E,b in ipairs(g)do if a['p'..b:sub(2)]then e=e+1 end end return e end local l,b,g='p'..o,0,{}if E==0 and e==0 and j>a then local g=redis.call('ZSCORE',d,l)if g then E=ac(g)end end if E>0 then local c=redis.call('ZREVRANGEBYSCORE',d,aj(E),4.5e15,'WITHSCORES','LIMIT',0,100+1)if c[1]~=l or ac(c[2])~=E then return{'held',a,A,R,z,0,1,0}end b=#c/2-1 if b>0 and e==0 then g=redis.call('ZRANGEBYSCORE',d,-a,a,'LIMIT',0,8)r=T(g,o)b=b-h(c,g)end elseif j>a and(E==0 or e==0)then b=au()end if e>0 or b>0 then local L=0 if E>=0 then L=#g==8 and 20000 or am(b,z,y,R,A)local e,T=a+L+ARGV[8]*1000,E==0 local c=T and b==0 or e>math.min(j,f)if T then E=math.max(u+1,a)end if ao(o,E,e)>1 then u=E elseif T then E,b=ac(redis.call('ZSCORE',d,l)),math.max(b-1,0)end if c then j=math.max(j,2*e-a)f=math.max(f,j)redis.call('PEXPIRE',d,math.ceil((j-a)/1000)+t)end if T or c or Q then D()x()end if#r>0 then redis.call('ZREM',d,unpack(r))end end return{'held',a,A,R,z,b,L,E}end if E==u then j=0 end end if e==0 then g,P,S=math.max(g+1,a),p,o:sub(36+2)end c=a+ARGV[3]*1000 n[b],f,e=c,math.max(f,c),e+1 D()x()if E>0 or e>1 then table.insert(r,'p'..o)table.insert(r,'w'..o)end if#r>0 then redis.pcall('ZREM',d,unpack(r))end end return{'granted',a,g,c-a,e}",
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
export const sha: readonly [plain: string, flagged: string] = ["848b8905f4bfe7884cc894d74c51e8b3190a058a", "12072e3aeb593f4effcd2c8b911853c2c0c4d5a1"];
