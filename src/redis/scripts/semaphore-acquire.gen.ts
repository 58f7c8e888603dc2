// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, one, permits, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local t=tonumber(ARGV[7])\n" + clock + fresh + one + record + crowd + members + requests + semaphore + permits + "local b,l=ARGV[2],ARGV[3]local j,r=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=l=='semaphore'if A(l)then return{'kind',a,h}end local e,o=T(redis.call('ZSCORE',i,'t'..j))if v(j)or o==3 or c and o then return{'closed',a}end if o then return{'granted',a,f,g-a,r}end if e>0 then return Q(b,e)or{'closed',a}end C=math.max(C-math.max(a-f-x,0),0)local d=B or tonumber(ARGV[5])if c and ap(d,r)then return{'short',a,d or 0}end d=d or 0 local k=ai()local p=d-k if p<r then if k==0 then return{'held',a,0,math.max(math.min(a-f,ARGV[8]*1000),0),x,C}end local b,c=X()local j=T(redis.call('ZSCORE',i,'t'..b:sub(1,36)))local z=math.ceil(x/math.max(math.floor(k/r),1))return{'held',a,c-a,z-x+a-j,z,C}end C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*x),0)if c then return P(b,r,l,ARGV[4],ARGV[6],S(r+25,Y()))end if not B then R,n=a,0 end B,n=d-r,n+r return P(b,r,l,ARGV[4],ARGV[6],ad())",
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
export const sha: readonly [plain: string, flagged: string] = ["10519cc400408a52a49396e006189b0c0b85e1ea", "b3fcfbf1dd59bddcfb9705593978d735658e469f"];
