// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, last_end, members, permits, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly note: string }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local t=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + members + requests + last_end + semaphore + permits + "local b,l=ARGV[2],ARGV[3]local k,F=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=l=='semaphore'if A(l)then return{'kind',a,h}end local g,p=V(redis.call('ZSCORE',i,'t'..k))if v(k)or p==3 or c and p then return{'closed',a}end if p then return{'granted',a,f,e-a,F}end if g>0 then return Y(b,g)or{'closed',a}end u=math.max(u-math.max(a-f-B,0),0)local d=D or tonumber(ARGV[5])if c and at(d,F)then return{'short',a,d or 0}end d=d or 0 local o=al()local j=d-o if j<F then if o==0 then return{'held',a,0,math.max(math.min(a-f,ARGV[8]*1000),0),B,u,''}end local P,c=ap()local h=V(redis.call('ZSCORE',i,'t'..P:sub(1,36)))local j=math.ceil(B/math.max(math.floor(o/F),1))return{'held',a,c-a,j-B+a-h,j,u,aq(P)}end u=math.max(u+math.min((ARGV[8]*1000-u)/8,3*B),0)if c then return ah(b,F,l,ARGV[4],ARGV[6],ak(F+25,ad()))end if not D then S,n=a,0 end D,n=d-F,n+F return ah(b,F,l,ARGV[4],ARGV[6],ag())",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", note: "text" },
    short: { permits: "integer" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b61f4fd568dac374f861a2f011b67a040fb6dc86", "a18e7001a8f6b6f85f46bea8ce28daad311ea834"];
