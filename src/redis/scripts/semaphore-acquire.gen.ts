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
  lua: "local t=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + members + requests + last_end + semaphore + permits + "local b,m=ARGV[2],ARGV[3]local l,F=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=m=='semaphore'if B(m)then return{'kind',a,i}end local h,p=V(redis.call('ZSCORE',d,'t'..l))if v(l)or p==3 or c and p then return{'closed',a}end if p then return{'granted',a,g,f-a,F}end if h>0 then return Y(b,h)or{'closed',a}end u=math.max(u-math.max(a-g-z,0),0)local e=D or tonumber(ARGV[5])if c and at(e,F)then return{'short',a,e or 0}end e=e or 0 local o=al()local k=e-o if k<F then if o==0 then return{'held',a,0,math.max(math.min(a-g,ARGV[8]*1000),0),z,u,''}end local P,c=ap()local i=V(redis.call('ZSCORE',d,'t'..P:sub(1,36)))local k=math.ceil(z/math.max(math.floor(o/F),1))return{'held',a,c-a,k-z+a-i,k,u,aq(P)}end u=math.max(u+math.min((ARGV[8]*1000-u)/8,3*z),0)if c then return ah(b,F,m,ARGV[4],ARGV[6],ak(F+25,ad()))end if not D then S,j=a,0 end D,j=e-F,j+F return ah(b,F,m,ARGV[4],ARGV[6],ag())",
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
export const sha: readonly [plain: string, flagged: string] = ["496021460b9370a6e692b9f7f88ba3f4eca982a2", "4e3543c58f42b3ff64965b4e92e6f27ee3976329"];
