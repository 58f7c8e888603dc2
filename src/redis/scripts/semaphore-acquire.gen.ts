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
  lua: "local q=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + "local b,k=ARGV[2],ARGV[3]local j,E=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=k=='semaphore'if z(k)then return{'kind',a,h}end local d,o=S(redis.call('ZSCORE',i,'t'..j))if t(j)or o==3 or c and o then return{'closed',a}end if o then return{'granted',a,e,g-a,E}end if d>0 then return Q(b,d)or{'closed',a}end C=math.max(C-math.max(a-e-v,0),0)local f=B or tonumber(ARGV[5])if c and ar(f,E)then return{'short',a,f or 0}end f=f or 0 local x=ai()local m=f-x if m<E then if x==0 then return{'held',a,0,math.max(math.min(a-e,ARGV[8]*1000),0),v,C,''}end local P,c=an()local j=S(redis.call('ZSCORE',i,'t'..P:sub(1,36)))local m=math.ceil(v/math.max(math.floor(x/E),1))return{'held',a,c-a,m-v+a-j,m,C,ao(P)}end C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*v),0)if c then return W(b,E,k,ARGV[4],ARGV[6],ag(E+25,X()))end if not B then R,n=a,0 end B,n=f-E,n+E return W(b,E,k,ARGV[4],ARGV[6],ac())",
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
export const sha: readonly [plain: string, flagged: string] = ["42905dac761198122295a91a848fa091c6c8d5a1", "da414c87654c7b490c32ba22e66328127009e4f5"];
