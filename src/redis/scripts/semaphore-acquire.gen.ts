// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, last_end, members, permits, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly note: string }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local t=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + keep + failed + members + requests + last_end + semaphore + permits + "local b,m=ARGV[2],ARGV[3]local k,n=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=m=='semaphore'if B(m)then return{'kind',a,j}end local f,p=Y(redis.call('ZSCORE',d,'t'..k))if w(k)or p==3 or c and p then return{'closed',a}end if p then return{'granted',a,h,g-a,n}end if f>0 then return S(b,f)or{'closed',a}end H=math.max(H-math.max(a-h-A,0),0)local e=G or tonumber(ARGV[5])if c and av(e,n)then return{'short',a,e or 0}end e=e or 0 local q=am()local i=e-q if i<n then if q==0 then return{'held',a,0,math.max(math.min(a-h,ARGV[8]*1000),0),A,H,''}end local R,c=as()local i=Y(redis.call('ZSCORE',d,'t'..R:sub(1,36)))local J=math.ceil(A/math.max(math.floor(q/n),1))return{'held',a,c-a,J-A+a-i,J,H,at(R)}end H=math.max(H+math.min((ARGV[8]*1000-H)/8,3*A),0)if c then return W(b,n,m,ARGV[4],ARGV[6],aj(n+25,ai()))end if not G then X,o=a,0 end G,o=e-n,o+n return W(b,n,m,ARGV[4],ARGV[6],ah())",
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
export const sha: readonly [plain: string, flagged: string] = ["7c57cf58d7f8270bf2eab2563090253759a5f698", "010cae9d1149f5bd964c0597a33ce3601b1fc021"];
