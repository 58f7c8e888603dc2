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
  lua: "local b=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local t,c=ARGV[2],tonumber(ARGV[7])local s,y=t:sub(1,36),tonumber(t:match('^%d+',38))or 1 if z('semaphore')then return{'kind',e,d}end local v=redis.call('ZMSCORE',i,'t'..s,'p'..s)local o,h=M(v[1])if q(s)or h then return{'closed',e}end if o>0 then return V(t,o)or{'closed',e}end local a=B or tonumber(ARGV[4])if ef(a,y)then return{'short',e,a or 0}end local K=v[2]and v[2]-4.5e15 if c>0 and K~=c then return{'held',e,0,0,0,0,1,0}end local L,p,H=0,{},{}if u>e then if c<0 then L=em()else L=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(K or 3.5e15)+4.5e15))end end if L>0 and c>=0 then p,H=en(8,-e)if#p>0 then redis.call('ZREM',i,unpack(p))end end if L==0 and a-eo()>=y then if K then p={'p'..s,'w'..s}elseif u<=e then p,H=en(y+25,-1024*e)end return S(t,y,'semaphore',ARGV[3],ARGV[5],p,H)end local w,P,n=0,math.max(e-l,0),nil if#p==0 then n=select(2,ed())if n then w=n-e end end local A=math.ceil(x/math.max(math.floor(a/y),1))local m=0 if c>=0 then m=#p>0 and Q or el(L,A,A/4,P,n and w or ee)R=K and R or math.max(R+1,e)K=K or R local a=e+m+ARGV[8]*1000 u=math.max(u,a)if d~='semaphore'and d~='none'then redis.call('UNLINK',i)end ei(s,K,a,unpack(H))C('semaphore')N()j()end return{'held',e,w,P,A,L,m,K or 0}",
  replies: "granted token remaining holds|held remaining age tenure ahead back ticket|short permits|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["dc40e22eb9aaba720a8f91cf303bc5774e2af00c", "5fafa5bdc4c2cfa6b4f50986ed26c3cfd19e9cc3"];
