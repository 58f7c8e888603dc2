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
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + ended + crowd + keep + failed + "local m='fair'\n" + lock + fair + "local p,r,j=ARGV[2],ARGV[5],tonumber(ARGV[7])local b=p:sub(1,36)if B(m)then return{'kind',a,i}end if x(b)then return F()end local l,e=Q()local A,H=math.max(l-a,0),math.max(a-h,0)local c,t=n[b],{}if not c then if e>0 and r~=''and r==R then if ARGV[6]=='0'then return{'not_reentrant',a,A}end if e==64 then return{'too_many_holds',a}end elseif e>0 or j>0 or o>a then\n" + queue + "local function h(c,g)local e,a=0,{}for j=3,#c,2 do a[c[j]]=true end for H,b in ipairs(g)do if a['p'..b:sub(2)]then e=e+1 end end return e end local k,b,g='p'..p,0,{}if j==0 and e==0 and o>a then local h=redis.call('ZSCORE',d,k)if h then j=V(h)end end if j>0 then local c=redis.call('ZREVRANGEBYSCORE',d,ad(j),4.5e15,'WITHSCORES','LIMIT',0,100+1)if c[1]~=k or V(c[2])~=j then return{'held',a,A,H,z,0,1,0}end b=#c/2-1 if b>0 and e==0 then g=redis.call('ZRANGEBYSCORE',d,-a,a,'LIMIT',0,8)t=T(g,p)b=b-h(c,g)end elseif o>a and(j==0 or e==0)then b=aw()end if e>0 or b>0 then local D=0 if j>=0 then D=#g==8 and 20000 or an(b,z,w,H,A)local e,J=a+D+ARGV[8]*1000,j==0 local c=J and b==0 or e>math.min(o,f)if J then j=math.max(G+1,a)end if ar(p,j,e)>1 then G=j elseif J then j,b=V(redis.call('ZSCORE',d,k)),math.max(b-1,0)end if c then o=math.max(o,2*e-a)f=math.max(f,o)redis.call('PEXPIRE',d,math.ceil((o-a)/1000)+s)end if J or c or S then E()y()end if#t>0 then redis.call('ZREM',d,unpack(t))end end return{'held',a,A,H,z,b,D,j}end if j==G then o=0 end end if e==0 then h,R,U=math.max(h+1,a),r,p:sub(36+2)end c=a+ARGV[3]*1000 n[b],f,e=c,math.max(f,c),e+1 E()y()if j>0 or e>1 then table.insert(t,'p'..p)table.insert(t,'w'..p)end if#t>0 then redis.pcall('ZREM',d,unpack(t))end end return{'granted',a,h,c-a,e}",
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
export const sha: readonly [plain: string, flagged: string] = ["273fbb32c9af89cf7575a052640e9843cedd1524", "a56a6d2b023b052930bf4113913e0939a9b79bf4"];
