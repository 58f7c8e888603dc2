// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, permits, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly note: string }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local r=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + "local b,k=ARGV[2],ARGV[3]local j,H=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=k=='semaphore'if z(k)then return{'kind',a,h}end local e,p=T(redis.call('ZSCORE',i,'t'..j))if u(j)or p==3 or c and p then return{'closed',a}end if p then return{'granted',a,f,g-a,H}end if e>0 then return X(b,e)or{'closed',a}end A=math.max(A-math.max(a-f-w,0),0)local d=D or tonumber(ARGV[5])if c and as(d,H)then return{'short',a,d or 0}end d=d or 0 local o=aj()local n=d-o if n<H then if o==0 then return{'held',a,0,math.max(math.min(a-f,ARGV[8]*1000),0),w,A,''}end local O,c=ao()local j=T(redis.call('ZSCORE',i,'t'..O:sub(1,36)))local n=math.ceil(w/math.max(math.floor(o/H),1))return{'held',a,c-a,n-w+a-j,n,A,ap(O)}end A=math.max(A+math.min((ARGV[8]*1000-A)/8,3*w),0)if c then return Q(b,H,k,ARGV[4],ARGV[6],ai(H+25,ae()))end if not D then S,l=a,0 end D,l=d-H,l+H return Q(b,H,k,ARGV[4],ARGV[6],af())",
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
export const sha: readonly [plain: string, flagged: string] = ["deae6a4659d92b1f3a9cfeb7f87a54f219035cbd", "07c7c9110f1c41c36081504ba89d65588b782f11"];
