// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, last_end, members, permits, queue, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number; readonly note: string }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: "local s=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + members + requests + last_end + semaphore + permits + queue + "local b,C=ARGV[2],tonumber(ARGV[7])local j,E=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if y('semaphore')then return{'kind',a,h}end local o=j..(b:match('@.*')or'')local w=redis.call('ZMSCORE',i,'t'..j,'p'..o)local g,p=U(w[1])if u(j)or p then return{'closed',a}end if g>0 then return Q(b,g)or{'closed',a}end local d=D or tonumber(ARGV[4])if at(d,E)then return{'short',a,d or 0}end local k=w[2]and ab(w[2])if C>0 and k~=C then return{'held',a,0,0,0,0,1,0,''}end local S,q,M=0,{},{}if m>a then if C<0 then S=au()else S=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',k and ai(k)or 8e15))end end if S>0 and C>=0 then q,M=aj(8,-a)if#q>0 then redis.call('ZREM',i,unpack(q))end end if S==0 and d-ak()>=E then if k then q={'p'..o,'w'..o}elseif m<=a then q,M=aj(E+25,af())end return W(b,E,'semaphore',ARGV[3],ARGV[5],q,M)end local z,R,P,c=0,math.max(a-f,0),'',nil if#q==0 then P,c=am()if c then z=c-a end end local n=math.ceil(x/math.max(math.floor(d/E),1))local J=0 if C>=0 then J=#q>0 and 20000 or al(S,n,n/4,R,c and z or 2000000)T=k and T or math.max(T+1,a)k=k or T local d=a+J+ARGV[8]*1000 m=math.max(m,d)if h~='semaphore'and h~='none'then redis.call('UNLINK',i)end ap(o,k,d,unpack(M))F('semaphore')N()v()end return{'held',a,z,R,n,S,J,k or 0,aq(P or'')}",
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
export const sha: readonly [plain: string, flagged: string] = ["faa29510e8a19576c21b2ee36280a2c91c114203", "a8ff1273a17f7884807ce103bd09f5b6c0bba7d0"];
