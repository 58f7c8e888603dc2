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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\n" + queue + "\nlocal b,X=ARGV[2],tonumber(ARGV[7])local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 if N('semaphore')then return{'kind',a,m}end local u=redis.call('ZMSCORE',j,'t'..l,'p'..l)local f,q=aE(u[1])if v(l)or q then return{'closed',a}end if f>0 then return ax(b,f)or{'closed',a}end local I=u[2]and u[2]-4.5e15 if X>0 and I~=X then return{'held',a,0,0,0,0,1,0}end local e,aa,L=B or tonumber(ARGV[4])or 0,0,{}if M>a then if X<0 then aa=bT()else aa=redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',(I or 3.5e15)+4.5e15))end end if aa>0 and X>=0 then L=br(8)if#L>0 then redis.call('ZREM',j,unpack(L))end end if aa==0 and e-bs()>=T then if I then L={'p'..l,'w'..l}elseif M<=a then L=br(math.max(T,25))end return bf(b,T,L,'semaphore',ARGV[3],ARGV[5],ARGV[6])end local s,an=ARGV[5]*1000,math.max(a-g,0)if#L==0 then local P,c=bG()if c then s=c-a end end local aI=math.ceil(t/math.max(math.floor(e/T),1))local J=0 if X>=0 then J=#L>0 and ai or bv(aa,aI,an,s)at=I and at or math.max(at+1,a)I=I or at M=math.max(M,a+J+ARGV[8]*1000)if m~='semaphore'and m~='none'then redis.call('UNLINK',j)end bD(l,I,J,ARGV[8])x('semaphore')S(ARGV[6])w(ARGV[6])end return{'held',a,s,an,aI,aa,J,I or 0}",
  sha: ["6a6dc21026b995d76a87179a3d1e3ce04ea0535c", "717412db1d8686761542cb4f56c01e121970dbc0"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "closed", "kind kind", "late"],
  fresh: true,
};
