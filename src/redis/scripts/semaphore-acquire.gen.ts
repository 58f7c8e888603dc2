// Generated from lua/semaphore-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, one, permits, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreAcquire: Script<readonly [id: string | number, kind: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, waited: string | number], SemaphoreAcquireReply> = {
  lua: "local t=tonumber(ARGV[7])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + "local b,m=ARGV[2],ARGV[3]local j,r=b:sub(1,36),tonumber(b:match('^%d+',38))or 1 local c=m=='semaphore'if A(m)then return{'kind',a,h}end local e,o=N(redis.call('ZSCORE',i,'t'..j))if y(j)or o==3 or c and o then return{'closed',a}end if o then return{'granted',a,f,g-a,r}end if e>0 then return V(b,e)or{'closed',a}end C=math.max(C-math.max(a-f-w,0),0)local d=B or tonumber(ARGV[5])if c and al(d,r)then return{'short',a,d or 0}end d=d or 0 local k=ae()local p=d-k if p<r then if k==0 then return{'held',a,0,math.max(math.min(a-f,ARGV[8]*1000),0),w,C}end local b,c=ai()local j=N(redis.call('ZSCORE',i,'t'..b:sub(1,36)))local z=math.ceil(w/math.max(math.floor(k/r),1))return{'held',a,c-a,z-w+a-j,z,C}end C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*w),0)if c then return S(b,r,m,ARGV[4],ARGV[6],ac(r+25,-1024*a))end if not B then R,n=a,0 end B,n=d-r,n+r return S(b,r,m,ARGV[4],ARGV[6],ab())",
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
export const sha: readonly [plain: string, flagged: string] = ["efa92e1ca784d56c59772c4e87091e7247160c93", "c06fb7d1518a1445c3c697e9f32a2a8cbd9c3fe9"];
