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
  lua: "local w=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + keep + failed + members + requests + last_end + semaphore + listen + wake + permits + "local b,m=ARGV[2],ARGV[3]local k,n=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=m=='semaphore'if E(m)then return{'kind',a,j}end local f,t=ad(redis.call('ZSCORE',d,'t'..k))if x(k)or t==3 or c and t then return{'closed',a}end if t then return{'granted',a,g,h-a,n}end if f>0 then return Z(b,f)or{'closed',a}end K=math.max(K-math.max(a-g-F,0),0)local e=J or tonumber(ARGV[5])if c and aG(e,n)then return{'short',a,e or 0}end e=e or 0 local r=aw()local Y=e-r if Y<n then local v,q,b=0,nil,nil if j==m then v,q,b=ae(k,ARGV[9],'w')end if q then if b and Y>0 then ac(1,b)end if B(s(redis.pcall))then v=0 end end if r==0 then return{'held',a,0,math.max(math.min(a-g,ARGV[8]*1000),0),F,K,'',v}end local U,c=aD()local h=ad(redis.call('ZSCORE',d,'t'..U:sub(1,36)))local L=math.ceil(F/math.max(math.floor(r/n),1))return{'held',a,c-a,L-F+a-h,L,K,aE(U),v}end K=math.max(K+math.min((ARGV[8]*1000-K)/8,3*F),0)if c then return aa(b,n,m,ARGV[4],ARGV[6],q(n+25,at()))end if not J then W,p=a,0 end J,p=e-n,p+n return aa(b,n,m,ARGV[4],ARGV[6],aq())",
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
export const sha: readonly [plain: string, flagged: string] = ["c114be95ac19f1360fa20625e9c6085f6255b115", "0e6943fe2887986aa0b6a2aa1c3e0f6c2b842df3"];
