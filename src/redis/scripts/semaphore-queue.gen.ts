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
  lua: "local t=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + members + requests + semaphore + permits + queue + "local b,k=ARGV[2],tonumber(ARGV[7])local j,r=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if A('semaphore')then return{'kind',a,h}end local w=redis.call('ZMSCORE',i,'t'..j,'p'..j)local e,o=T(w[1])if v(j)or o then return{'closed',a}end if e>0 then return Q(b,e)or{'closed',a}end local d=B or tonumber(ARGV[4])if ap(d,r)then return{'short',a,d or 0}end local l=w[2]and ae(w[2])if k>0 and l~=k then return{'held',a,0,0,0,0,1,0}end local K,p,E=0,{},{}if n>a then if k<0 then K=aq()else K=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',l and ag(l)or 8e15))end end if K>0 and k>=0 then p,E=R(8,-a)if#p>0 then redis.call('ZREM',i,unpack(p))end end if K==0 and d-ai()>=r then if l then p={'p'..j,'w'..j}elseif n<=a then p,E=R(r+25,ac())end return P(b,r,'semaphore',ARGV[3],ARGV[5],p,E)end local u,M,c=0,math.max(a-f,0),nil if#p==0 then c=select(2,X())if c then u=c-a end end local z=math.ceil(x/math.max(math.floor(d/r),1))local G=0 if k>=0 then G=#p>0 and 20000 or aj(K,z,z/4,M,c and u or 2000000)S=l and S or math.max(S+1,a)l=l or S local d=a+G+ARGV[8]*1000 n=math.max(n,d)if h~='semaphore'and h~='none'then redis.call('UNLINK',i)end am(j,l,d,unpack(E))D('semaphore')N()y()end return{'held',a,u,M,z,K,G,l or 0}",
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
export const sha: readonly [plain: string, flagged: string] = ["77dc425244474ca7cd242bcd991a842b74a4acaf", "ebf6319b88ecdf33bf09663fe3b5e3bf7c6bf805"];
