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
  lua: "local q=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + "local b,k=ARGV[2],ARGV[3]local j,E=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=k=='semaphore'if z(k)then return{'kind',a,h}end local e,o=T(redis.call('ZSCORE',i,'t'..j))if u(j)or o==3 or c and o then return{'closed',a}end if o then return{'granted',a,f,g-a,E}end if e>0 then return Q(b,e)or{'closed',a}end C=math.max(C-math.max(a-f-w,0),0)local d=B or tonumber(ARGV[5])if c and ar(d,E)then return{'short',a,d or 0}end d=d or 0 local t=ai()local m=d-t if m<E then if t==0 then return{'held',a,0,math.max(math.min(a-f,ARGV[8]*1000),0),w,C,''}end local K,c=an()local j=T(redis.call('ZSCORE',i,'t'..K:sub(1,36)))local m=math.ceil(w/math.max(math.floor(t/E),1))return{'held',a,c-a,m-w+a-j,m,C,ao(K)}end C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*w),0)if c then return R(b,E,k,ARGV[4],ARGV[6],Y(E+25,ad()))end if not B then S,n=a,0 end B,n=d-E,n+E return R(b,E,k,ARGV[4],ARGV[6],ae())",
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
export const sha: readonly [plain: string, flagged: string] = ["b8db9038ea434083d2ec75693c7a8b3fd81d65d6", "d246391ee3a3e4ccb481199b8d8167594f726e00"];
