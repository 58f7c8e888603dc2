// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, members, permits, queue, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: "local r=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + queue + "local b,z=ARGV[2],tonumber(ARGV[7])local j,q=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if B('semaphore')then return{'kind',a,h}end local w=redis.call('ZMSCORE',i,'t'..j,'p'..j)local e,o=T(w[1])if v(j)or o then return{'closed',a}end if e>0 then return Q(b,e)or{'closed',a}end local d=C or tonumber(ARGV[4])if ap(d,q)then return{'short',a,d or 0}end local l=w[2]and ae(w[2])if z>0 and l~=z then return{'held',a,0,0,0,0,1,0}end local K,p,F=0,{},{}if n>a then if z<0 then K=aq()else K=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',l and ag(l)or 8e15))end end if K>0 and z>=0 then p,F=R(8,-a)if#p>0 then redis.call('ZREM',i,unpack(p))end end if K==0 and d-ai()>=q then if l then p={'p'..j,'w'..j}elseif n<=a then p,F=R(q+25,ac())end return P(b,q,'semaphore',ARGV[3],ARGV[5],p,F)end local u,N,c=0,math.max(a-f,0),nil if#p==0 then c=select(2,X())if c then u=c-a end end local k=math.ceil(x/math.max(math.floor(d/q),1))local H=0 if z>=0 then H=#p>0 and 20000 or aj(K,k,k/4,N,c and u or 2000000)S=l and S or math.max(S+1,a)l=l or S local d=a+H+ARGV[8]*1000 n=math.max(n,d)if h~='semaphore'and h~='none'then redis.call('UNLINK',i)end am(j,l,d,unpack(F))E('semaphore')O()y()end return{'held',a,u,N,k,K,H,l or 0}",
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
export const sha: readonly [plain: string, flagged: string] = ["e47c27a3616a881fe92c0174152fee61d391f6e7", "eac3829dafb7268dfdbe98dd774a46339bfc1489"];
