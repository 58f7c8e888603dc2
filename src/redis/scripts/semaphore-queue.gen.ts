// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, last_end, members, permits, queue, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number; readonly note: string }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: "local t=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + keep + failed + members + requests + last_end + semaphore + permits + queue + "local b,i=ARGV[2],tonumber(ARGV[7])local k,n=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if B('semaphore')then return{'kind',a,j}end local q=k..(b:match('@.*')or'')local y=redis.call('ZMSCORE',d,'t'..k,'p'..q)local f,p=Y(y[1])if w(k)or p then return{'closed',a}end if f>0 then return S(b,f)or{'closed',a}end local e=G or tonumber(ARGV[4])if av(e,n)then return{'short',a,e or 0}end local m=y[2]and V(y[2])if i>0 and m~=i then return{'held',a,0,0,0,0,1,0,''}end local N,r,F=0,{},{}if o>a then if i<0 then N=aw()else N=redis.call('ZCOUNT',d,4.5e15,string.format('(%.0f',m and ad(m)or 8e15))end end if N>0 and i>=0 then r,F=aj(8,-a)end if N==0 and e-am()>=n then if m then r={'p'..q,'w'..q}elseif o<=a then r,F=aj(n+25,ai())end return W(b,n,'semaphore',ARGV[3],ARGV[5],r,F)end local z,I,R,c=0,math.max(a-h,0),'',nil if#r==0 then R,c=as()if c then z=c-a end end local J=math.ceil(A/math.max(math.floor(e/n),1))local D=0 if i>=0 then D=#r>0 and 20000 or an(N,J,J/4,I,c and z or 2000000)X=m and X or math.max(X+1,a)m=m or X local e=a+D+ARGV[8]*1000 o=math.max(o,e)if j~='semaphore'and j~='none'then redis.call('UNLINK',d)end ar(q,m,e,unpack(F))local U={}for I,b in ipairs(r)do if b:sub(2)~=q then table.insert(U,b)end end if#U>0 then redis.call('ZREM',d,unpack(U))end C('semaphore')T()x()end return{'held',a,z,I,J,N,D,m or 0,at(R or'')}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", ahead: "integer", back: "integer", ticket: "integer", note: "text" },
    short: { permits: "integer" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["807c860c82f417a43891f1d1ed80da76b4efb0eb", "ed36bf030ec125dadaf661522a3cda5daeeff136"];
