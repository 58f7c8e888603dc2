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
  lua: "local s=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + members + requests + last_end + semaphore + permits + "local b,k=ARGV[2],ARGV[3]local j,E=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=k=='semaphore'if y(k)then return{'kind',a,h}end local g,p=U(redis.call('ZSCORE',i,'t'..j))if u(j)or p==3 or c and p then return{'closed',a}end if p then return{'granted',a,f,e-a,E}end if g>0 then return Q(b,g)or{'closed',a}end A=math.max(A-math.max(a-f-x,0),0)local d=D or tonumber(ARGV[5])if c and at(d,E)then return{'short',a,d or 0}end d=d or 0 local o=ak()local n=d-o if n<E then if o==0 then return{'held',a,0,math.max(math.min(a-f,ARGV[8]*1000),0),x,A,''}end local P,c=am()local j=U(redis.call('ZSCORE',i,'t'..P:sub(1,36)))local n=math.ceil(x/math.max(math.floor(o/E),1))return{'held',a,c-a,n-x+a-j,n,A,aq(P)}end A=math.max(A+math.min((ARGV[8]*1000-A)/8,3*x),0)if c then return W(b,E,k,ARGV[4],ARGV[6],aj(E+25,af()))end if not D then T,m=a,0 end D,m=d-E,m+E return W(b,E,k,ARGV[4],ARGV[6],ag())",
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
export const sha: readonly [plain: string, flagged: string] = ["696e15a2bfc8dcc8307d2373ddee4bbbe5581c12", "d88c9d9941bf3a9c63fe176a0e68b78473ad272e"];
