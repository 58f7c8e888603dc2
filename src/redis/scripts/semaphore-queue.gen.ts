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
  lua: "local b=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local t,N=ARGV[2],tonumber(ARGV[7])local s,c=t:sub(1,36),tonumber(t:match('^%d+',38))or 1 if q('semaphore')then return{'kind',e,d}end local w=redis.call('ZMSCORE',i,'t'..s,'p'..s)local o,h=M(w[1])if j(s)or h then return{'closed',e}end if o>0 then return O(t,o)or{'closed',e}end local a=B or tonumber(ARGV[4])if ef(a,c)then return{'short',e,a or 0}end local m=w[2]and w[2]-4.5e15 if N>0 and m~=N then return{'held',e,0,0,0,0,1,0}end local P,p,G=0,{},{}if D>e then if N<0 then P=em()else P=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(m or 3.5e15)+4.5e15))end end if P>0 and N>=0 then p,G=et(8,-e)if#p>0 then redis.call('ZREM',i,unpack(p))end end if P==0 and a-ea()>=c then if m then p={'p'..s,'w'..s}elseif D<=e then p,G=et(c+25,-1024*e)end return V(t,c,'semaphore',ARGV[3],ARGV[5],p,G)end local g,S,n=0,math.max(e-l,0),nil if#p==0 then n=select(2,ed())if n then g=n-e end end local u=math.ceil(x/math.max(math.floor(a/c),1))local A=0 if N>=0 then A=#p>0 and L or eo(P,u,S,n and g or el)R=m and R or math.max(R+1,e)m=m or R D=math.max(D,e+A+ARGV[8]*1000)if d~='semaphore'and d~='none'then redis.call('UNLINK',i)end ei(s,m,A,ARGV[8],unpack(G))z('semaphore')J()v()end return{'held',e,g,S,u,P,A,m or 0}",
  replies: "granted token remaining holds|held remaining age tenure ahead back ticket|short permits|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["8fe66efac1a0fd86033c7beeff28a2110a9ec314", "afbd0411603e3ba0fac57e0ca02722881305f452"];
