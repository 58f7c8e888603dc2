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
  lua: "local r=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + "local b,l=ARGV[2],ARGV[3]local j,q=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=l=='semaphore'if B(l)then return{'kind',a,h}end local e,o=T(redis.call('ZSCORE',i,'t'..j))if v(j)or o==3 or c and o then return{'closed',a}end if o then return{'granted',a,f,g-a,q}end if e>0 then return Q(b,e)or{'closed',a}end D=math.max(D-math.max(a-f-x,0),0)local d=C or tonumber(ARGV[5])if c and ap(d,q)then return{'short',a,d or 0}end d=d or 0 local u=ai()local k=d-u if k<q then if u==0 then return{'held',a,0,math.max(math.min(a-f,ARGV[8]*1000),0),x,D}end local b,c=X()local j=T(redis.call('ZSCORE',i,'t'..b:sub(1,36)))local k=math.ceil(x/math.max(math.floor(u/q),1))return{'held',a,c-a,k-x+a-j,k,D}end D=math.max(D+math.min((ARGV[8]*1000-D)/8,3*x),0)if c then return P(b,q,l,ARGV[4],ARGV[6],R(q+25,ac()))end if not C then S,n=a,0 end C,n=d-q,n+q return P(b,q,l,ARGV[4],ARGV[6],ad())",
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
export const sha: readonly [plain: string, flagged: string] = ["63f846b7e1e4b9e3e7e531442827ed6ca362e546", "05d23fd6c868858799719f0d311c9336ac355a2a"];
