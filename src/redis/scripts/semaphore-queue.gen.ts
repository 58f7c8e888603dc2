// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, permits, queue, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\n" + queue + "\nlocal b,X=ARGV[2],tonumber(ARGV[7])local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 if F('semaphore')then return{'kind',a,m}end local u=redis.call('ZMSCORE',k,'t'..l,'p'..l)local f,q=aE(u[1])if v(l)or q then return{'closed',a}end if f>0 then return ax(b,f)or{'closed',a}end local K=u[2]and u[2]-4.5e15 if X>0 and K~=X then return{'held',a,0,0,0,0,1,0}end local e,aa,N=B or tonumber(ARGV[4])or 0,0,{}if D>a then if X<0 then aa=bU()else aa=redis.call('ZCOUNT',k,4.5e15,string.format('(%.0f',(K or 3.5e15)+4.5e15))end end if aa>0 and X>=0 then N=bs(8)if#N>0 then redis.call('ZREM',k,unpack(N))end end if aa==0 and e-bt()>=T then if K then N={'p'..l,'w'..l}elseif D<=a then N=bs(math.max(T,25))end return bf(b,T,N,'semaphore',ARGV[3],ARGV[5],ARGV[6])end local s,ao=ARGV[5]*1000,math.max(a-g,0)if#N==0 then local P,c=bH()if c then s=c-a end end local aI=math.ceil(t/math.max(math.floor(e/T),1))local L=0 if X>=0 then L=#N>0 and ai or bw(aa,aI,ao,s)at=K and at or math.max(at+1,a)K=K or at D=math.max(D,a+L+ARGV[8]*1000)if m~='semaphore'and m~='none'then redis.call('UNLINK',k)end bE(l,K,L,ARGV[8])y('semaphore')S(ARGV[6])w(ARGV[6])end return{'held',a,s,ao,aI,aa,L,K or 0}",
  sha: ["a3f6c1308f6cda0f7d967ce608e228a085d6d23e", "1cafb9fa163b9a52168838458494b628175ff94a"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "closed", "kind kind", "late"],
  fresh: true,
};
