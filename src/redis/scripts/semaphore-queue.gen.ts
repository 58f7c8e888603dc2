// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, one, permits, queue, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: "local t=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local b,k=ARGV[2],tonumber(ARGV[7])local j,r=b:sub(1,36),tonumber(b:match('^%d+',38))or 1 if A('semaphore')then return{'kind',a,h}end local v=redis.call('ZMSCORE',i,'t'..j,'p'..j)local e,o=N(v[1])if y(j)or o then return{'closed',a}end if e>0 then return V(b,e)or{'closed',a}end local d=B or tonumber(ARGV[4])if al(d,r)then return{'short',a,d or 0}end local K=v[2]and v[2]-4.5e15 if k>0 and K~=k then return{'held',a,0,0,0,0,1,0}end local M,p,H=0,{},{}if n>a then if k<0 then M=am()else M=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(K or 3.5e15)+4.5e15))end end if M>0 and k>=0 then p,H=ac(8,-a)if#p>0 then redis.call('ZREM',i,unpack(p))end end if M==0 and d-ae()>=r then if K then p={'p'..j,'w'..j}elseif n<=a then p,H=ac(r+25,-1024*a)end return S(b,r,'semaphore',ARGV[3],ARGV[5],p,H)end local u,P,c=0,math.max(a-f,0),nil if#p==0 then c=select(2,ai())if c then u=c-a end end local z=math.ceil(w/math.max(math.floor(d/r),1))local m=0 if k>=0 then m=#p>0 and Q or af(M,z,z/4,P,c and u or aa)R=K and R or math.max(R+1,a)K=K or R local d=a+m+ARGV[8]*1000 n=math.max(n,d)if h~='semaphore'and h~='none'then redis.call('UNLINK',i)end ah(j,K,d,unpack(H))D('semaphore')O()x()end return{'held',a,u,P,z,M,m,K or 0}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", ahead: "integer", back: "integer", ticket: "integer" },
    short: { permits: "integer" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["4fb5b01090d4357c123eece80b392c168f93d840", "baa5caa65c4b6f1fc541e60aea65f9ba4270b6e7"];
