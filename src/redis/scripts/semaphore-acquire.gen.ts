// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, permits, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local t=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + "local b,l=ARGV[2],ARGV[3]local j,r=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=l=='semaphore'if A(l)then return{'kind',a,h}end local e,o=T(redis.call('ZSCORE',i,'t'..j))if v(j)or o==3 or c and o then return{'closed',a}end if o then return{'granted',a,f,g-a,r}end if e>0 then return Q(b,e)or{'closed',a}end C=math.max(C-math.max(a-f-x,0),0)local d=B or tonumber(ARGV[5])if c and ap(d,r)then return{'short',a,d or 0}end d=d or 0 local k=ai()local p=d-k if p<r then if k==0 then return{'held',a,0,math.max(math.min(a-f,ARGV[8]*1000),0),x,C}end local b,c=X()local j=T(redis.call('ZSCORE',i,'t'..b:sub(1,36)))local z=math.ceil(x/math.max(math.floor(k/r),1))return{'held',a,c-a,z-x+a-j,z,C}end C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*x),0)if c then return P(b,r,l,ARGV[4],ARGV[6],R(r+25,ac()))end if not B then S,n=a,0 end B,n=d-r,n+r return P(b,r,l,ARGV[4],ARGV[6],ad())",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer" },
    short: { permits: "integer" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["a1a9124e6e69e502d1574c03b1a9dac74ae31a9a", "3a3925cdf27e4f53088603f00edb9440b242785e"];
