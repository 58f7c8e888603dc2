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
  lua: "local q=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + queue + "local b,t=ARGV[2],tonumber(ARGV[7])local j,E=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if z('semaphore')then return{'kind',a,h}end local v=redis.call('ZMSCORE',i,'t'..j,'p'..j)local e,o=T(v[1])if u(j)or o then return{'closed',a}end if e>0 then return Q(b,e)or{'closed',a}end local d=B or tonumber(ARGV[4])if ar(d,E)then return{'short',a,d or 0}end local k=v[2]and af(v[2])if t>0 and k~=t then return{'held',a,0,0,0,0,1,0,''}end local N,p,G=0,{},{}if n>a then if t<0 then N=as()else N=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',k and ah(k)or 8e15))end end if N>0 and t>=0 then p,G=Y(8,-a)if#p>0 then redis.call('ZREM',i,unpack(p))end end if N==0 and d-ai()>=E then if k then p={'p'..j,'w'..j}elseif n<=a then p,G=Y(E+25,ad())end return R(b,E,'semaphore',ARGV[3],ARGV[5],p,G)end local y,P,K,c=0,math.max(a-f,0),'',nil if#p==0 then K,c=an()if c then y=c-a end end local m=math.ceil(w/math.max(math.floor(d/E),1))local I=0 if t>=0 then I=#p>0 and 20000 or aj(N,m,m/4,P,c and y or 2000000)S=k and S or math.max(S+1,a)k=k or S local d=a+I+ARGV[8]*1000 n=math.max(n,d)if h~='semaphore'and h~='none'then redis.call('UNLINK',i)end am(j,k,d,unpack(G))D('semaphore')O()x()end return{'held',a,y,P,m,N,I,k or 0,ao(K or'')}",
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
export const sha: readonly [plain: string, flagged: string] = ["7e758cb68db34ba656618e21cce45dae80dbd3f7", "a2f05f6791470f9553606efa076177403b8c85c4"];
