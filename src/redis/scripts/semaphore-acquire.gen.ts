// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, last_end, listen, members, permits, read_name, record, requests, semaphore, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly note: string; readonly listed: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number, listens: string | number], SemaphoreAcquireReply> = {
  lua: "local v=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + keep + failed + members + requests + last_end + semaphore + listen + wake + permits + "local b,m=ARGV[2],ARGV[3]local k,n=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=m=='semaphore'if D(m)then return{'kind',a,i}end local f,q=ac(redis.call('ZSCORE',e,'t'..k))if y(k)or q==3 or c and q then return{'closed',a}end if q then return{'granted',a,h,g-a,n}end if f>0 then return U(b,f)or{'closed',a}end J=math.max(J-math.max(a-h-C,0),0)local d=H or tonumber(ARGV[5])if c and aE(d,n)then return{'short',a,d or 0}end d=d or 0 local r=av()local Y=d-r if Y<n then local u,H,b=0,nil,nil if i==m then u,H,b=ae(k,ARGV[9],'w')end if H then if b and Y>0 then Z(1,b)end if A(s(redis.pcall))then u=0 end end if r==0 then return{'held',a,0,math.max(math.min(a-h,ARGV[8]*1000),0),C,J,'',u}end local T,c=aB()local j=ac(redis.call('ZSCORE',e,'t'..T:sub(1,36)))local M=math.ceil(C/math.max(math.floor(r/n),1))return{'held',a,c-a,M-C+a-j,M,J,aC(T),u}end J=math.max(J+math.min((ARGV[8]*1000-J)/8,3*C),0)if c then return ai(b,n,m,ARGV[4],ARGV[6],au(n+25,aq()))end if not H then ab,o=a,0 end H,o=d-n,o+n return ai(b,n,m,ARGV[4],ARGV[6],ao())",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", note: "text", listed: "integer" },
    short: { permits: "integer" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["bf65e13b4a47b254463b18511786332a67a0d46a", "7b60b9e295d52809e3115830a8102f8768766170"];
