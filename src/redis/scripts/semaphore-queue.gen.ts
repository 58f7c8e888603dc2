// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, permits, queue, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number; readonly note: string }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: "local q=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + queue + "local b,x=ARGV[2],tonumber(ARGV[7])local j,E=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if z('semaphore')then return{'kind',a,h}end local u=redis.call('ZMSCORE',i,'t'..j,'p'..j)local d,o=S(u[1])if t(j)or o then return{'closed',a}end if d>0 then return Q(b,d)or{'closed',a}end local f=B or tonumber(ARGV[4])if ar(f,E)then return{'short',a,f or 0}end local k=u[2]and ad(u[2])if x>0 and k~=x then return{'held',a,0,0,0,0,1,0,''}end local M,p,H=0,{},{}if n>a then if x<0 then M=as()else M=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',k and ae(k)or 8e15))end end if M>0 and x>=0 then p,H=ag(8,-a)if#p>0 then redis.call('ZREM',i,unpack(p))end end if M==0 and f-ai()>=E then if k then p={'p'..j,'w'..j}elseif n<=a then p,H=ag(E+25,X())end return W(b,E,'semaphore',ARGV[3],ARGV[5],p,H)end local y,O,P,c=0,math.max(a-e,0),'',nil if#p==0 then P,c=an()if c then y=c-a end end local m=math.ceil(v/math.max(math.floor(f/E),1))local J=0 if x>=0 then J=#p>0 and 20000 or aj(M,m,m/4,O,c and y or 2000000)R=k and R or math.max(R+1,a)k=k or R local d=a+J+ARGV[8]*1000 n=math.max(n,d)if h~='semaphore'and h~='none'then redis.call('UNLINK',i)end am(j,k,d,unpack(H))D('semaphore')N()w()end return{'held',a,y,O,m,M,J,k or 0,ao(P or'')}",
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
export const sha: readonly [plain: string, flagged: string] = ["d8582e3d0e1381324d13288bc7f08edace51d7ca", "01f2b59bff1a5291eea2d6d4479d9020f1597418"];
