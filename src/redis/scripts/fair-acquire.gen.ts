// Generated from lua/fair-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ended, failed, fair, fresh, keep, lock, queue, read_name, record } from "../parts.gen.ts";
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
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ended + crowd + keep + failed + "local m='fair'\n" + lock + fair + "local q,p,i=ARGV[2],ARGV[5],tonumber(ARGV[7])local b=q:sub(1,36)if B(m)then return{'kind',a,j}end if w(b)then return G()end local n,e=P()local z,I=math.max(n-a,0),math.max(a-h,0)local c,r=l[b],{}if not c then if e>0 and p~=''and p==J then if ARGV[6]=='0'then return{'not_reentrant',a,z}end if e==64 then return{'too_many_holds',a}end elseif e>0 or i>0 or o>a then\n" + queue + "local function h(c,f)local e,a=0,{}for i=3,#c,2 do a[c[i]]=true end for I,b in ipairs(f)do if a['p'..b:sub(2)]then e=e+1 end end return e end local k,b,f='p'..q,0,{}if i==0 and e==0 and o>a then local h=redis.call('ZSCORE',d,k)if h then i=V(h)end end if i>0 then local c=redis.call('ZREVRANGEBYSCORE',d,ad(i),4.5e15,'WITHSCORES','LIMIT',0,100+1)if c[1]~=k or V(c[2])~=i then return{'held',a,z,I,A,0,1,0}end b=#c/2-1 if b>0 and e==0 then f=redis.call('ZRANGEBYSCORE',d,-a,a,'LIMIT',0,8)r=U(f,q)b=b-h(c,f)end elseif o>a and(i==0 or e==0)then b=aw()end if e>0 or b>0 then local D=0 if i>=0 then D=#f==8 and 20000 or an(b,A,y,I,z)local e,U=a+D+ARGV[8]*1000,i==0 local c=U and b==0 or e>math.min(o,g)if U then i=math.max(H+1,a)end if ar(q,i,e)>1 then H=i elseif U then i,b=V(redis.call('ZSCORE',d,k)),math.max(b-1,0)end if c then o=math.max(o,2*e-a)g=math.max(g,o)redis.call('PEXPIRE',d,math.ceil((o-a)/1000)+t)end if U or c or Q then F()x()end if#r>0 then redis.call('ZREM',d,unpack(r))end end return{'held',a,z,I,A,b,D,i}end if i==H then o=0 end end if e==0 then h,J,S=math.max(h+1,a),p,q:sub(36+2)end c=a+ARGV[3]*1000 l[b],g,e=c,math.max(g,c),e+1 F()x()if i>0 or e>1 then table.insert(r,'p'..q)table.insert(r,'w'..q)end if#r>0 then redis.pcall('ZREM',d,unpack(r))end end return{'granted',a,h,c-a,e}",
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
export const sha: readonly [plain: string, flagged: string] = ["18331e2501ef8a97cc30670c3f2cc8328684333e", "b1b226909239568ea6941293e080fcd28c8298a9"];
