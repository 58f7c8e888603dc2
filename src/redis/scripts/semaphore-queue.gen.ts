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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\n" + queue + "\nlocal b,Z=ARGV[2],tonumber(ARGV[7])local l,T=b:sub(1,36),tonumber(b:sub(38))or 1 if F('semaphore')then return{'kind',a,m}end local t=redis.call('ZMSCORE',j,'t'..l,'p'..l)local f,q=aH(t[1])if v(l)or q then return{'closed',a}end if f>0 then return az(b,f)or{'closed',a}end local L=t[2]and t[2]-4.5e15 if Z>0 and L~=Z then return{'held',a,0,0,0,0,1,0}end local e,ac,J,X=w or tonumber(ARGV[4])or 0,0,{},{}if D>a then if Z<0 then ac=bU()else ac=redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',(L or 3.5e15)+4.5e15))end end if ac>0 and Z>=0 then J,X=bt(8,ARGV[6])if#J>0 then redis.call('ZREM',j,unpack(J))end end if ac==0 and e-bu()>=T then if L then J={'p'..l,'w'..l}elseif D<=a then J,X=bt(math.max(T,25),ARGV[6])end return bh(b,T,'semaphore',ARGV[3],ARGV[5],ARGV[6],J,X)end local s,aq=ARGV[5]*1000,math.max(a-g,0)if#J==0 then local P,c=bH()if c then s=c-a end end local ar=math.ceil(u/math.max(math.floor(e/T),1))local N=0 if Z>=0 then N=#J>0 and ak or bw(ac,ar,aq,s)af=L and af or math.max(af+1,a)L=L or af D=math.max(D,a+N+ARGV[8]*1000)if m~='semaphore'and m~='none'then redis.call('UNLINK',j)end bE(l,L,N,ARGV[8],unpack(X))z('semaphore')S(ARGV[6])x(ARGV[6])end return{'held',a,s,aq,ar,ac,N,L or 0}",
  sha: ["260103b988b9b5897dc83c14a24ac11d316d2f83", "4b3c12e82d4475a16eb5f8f1f2a4b2acb87a45a0"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "closed", "kind kind", "late"],
  fresh: true,
};
