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
  lua: "local s=tonumber(ARGV[7])\n" + clock + fresh + read_name + record + crowd + keep + failed + members + requests + last_end + semaphore + permits + "local b,m=ARGV[2],ARGV[3]local k,l=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=m=='semaphore'if B(m)then return{'kind',a,i}end local g,r=X(redis.call('ZSCORE',d,'t'..k))if x(k)or r==3 or c and r then return{'closed',a}end if r then return{'granted',a,h,f-a,l}end if g>0 then return R(b,g)or{'closed',a}end G=math.max(G-math.max(a-h-z,0),0)local e=E or tonumber(ARGV[5])if c and av(e,l)then return{'short',a,e or 0}end e=e or 0 local p=am()local j=e-p if j<l then if p==0 then return{'held',a,0,math.max(math.min(a-h,ARGV[8]*1000),0),z,G,''}end local O,c=as()local i=X(redis.call('ZSCORE',d,'t'..O:sub(1,36)))local J=math.ceil(z/math.max(math.floor(p/l),1))return{'held',a,c-a,J-z+a-i,J,G,at(O)}end G=math.max(G+math.min((ARGV[8]*1000-G)/8,3*z),0)if c then return ac(b,l,m,ARGV[4],ARGV[6],aj(l+25,ai()))end if not E then U,o=a,0 end E,o=e-l,o+l return ac(b,l,m,ARGV[4],ARGV[6],ah())",
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
export const sha: readonly [plain: string, flagged: string] = ["92d8b8eafb12692de2d8be64fc16c75ea7334360", "6512d03cad4b237978d702ca22ba07b584ae1bdd"];
