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
  lua: "local r=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + queue + "local b,C=ARGV[2],tonumber(ARGV[7])local j,H=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if z('semaphore')then return{'kind',a,h}end local o=j..(b:match('@.*')or'')local v=redis.call('ZMSCORE',i,'t'..j,'p'..o)local e,p=T(v[1])if u(j)or p then return{'closed',a}end if e>0 then return X(b,e)or{'closed',a}end local d=D or tonumber(ARGV[4])if as(d,H)then return{'short',a,d or 0}end local k=v[2]and Z(v[2])if C>0 and k~=C then return{'held',a,0,0,0,0,1,0,''}end local R,q,M=0,{},{}if l>a then if C<0 then R=at()else R=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',k and ag(k)or 8e15))end end if R>0 and C>=0 then q,M=ai(8,-a)if#q>0 then redis.call('ZREM',i,unpack(q))end end if R==0 and d-aj()>=H then if k then q={'p'..o,'w'..o}elseif l<=a then q,M=ai(H+25,ae())end return Q(b,H,'semaphore',ARGV[3],ARGV[5],q,M)end local y,P,O,c=0,math.max(a-f,0),'',nil if#q==0 then O,c=ao()if c then y=c-a end end local n=math.ceil(w/math.max(math.floor(d/H),1))local J=0 if C>=0 then J=#q>0 and 20000 or ak(R,n,n/4,P,c and y or 2000000)S=k and S or math.max(S+1,a)k=k or S local d=a+J+ARGV[8]*1000 l=math.max(l,d)if h~='semaphore'and h~='none'then redis.call('UNLINK',i)end an(o,k,d,unpack(M))E('semaphore')N()x()end return{'held',a,y,P,n,R,J,k or 0,ap(O or'')}",
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
export const sha: readonly [plain: string, flagged: string] = ["9b9bb6128f9757044b53dd109f5651f3c898fea8", "a569c05b9f25d993b5268d75689577e5f1ea1bef"];
