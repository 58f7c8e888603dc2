// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, permits, queue, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\n" + queue + "\nlocal b,ad=ARGV[2],tonumber(ARGV[7])local l,Q=b:sub(1,36),tonumber(b:sub(38))or 1 if G('semaphore')then return{'kind',a,m}end local t=redis.call('ZMSCORE',j,'t'..l,'p'..l)local e,q=aN(t[1])if w(l)or q then return{'closed',a}end if e>0 then return aE(b,e)or{'closed',a}end local c=x or tonumber(ARGV[4])if cb(c,Q)then return{'short',a,c or 0}end local M=t[2]and t[2]-4.5e15 if ad>0 and M~=ad then return{'held',a,0,0,0,0,1,0}end local ag,K,aa=0,{},{}if E>a then if ad<0 then ag=ch()else ag=redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',(M or 3.5e15)+4.5e15))end end if ag>0 and ad>=0 then K,aa=bA(8,ARGV[6])if#K>0 then redis.call('ZREM',j,unpack(K))end end if ag==0 and c-bB()>=Q then if M then K={'p'..l,'w'..l}elseif E<=a then K,aa=bA(math.max(Q,25),ARGV[6])end return bn(b,Q,'semaphore',ARGV[3],ARGV[5],ARGV[6],K,aa)end local s,av,d=0,math.max(a-h,0),nil if#K==0 then d=select(2,bS())if d then s=d-a end end local ax=math.ceil(u/math.max(math.floor(c/Q),1))local O=0 if ad>=0 then O=#K>0 and ap or bF(ag,ax,av,d and s or bK)aj=M and aj or math.max(aj+1,a)M=M or aj E=math.max(E,a+O+ARGV[8]*1000)if m~='semaphore'and m~='none'then redis.call('UNLINK',j)end bQ(l,M,O,ARGV[8],unpack(aa))A('semaphore')V(ARGV[6])y(ARGV[6])end return{'held',a,s,av,ax,ag,O,M or 0}",
  sha: ["75502564e5fa920a039b852727bb0b1cd566c422", "7da2cf1769060d9f70997fcd454ec84ec9aeab67"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "short permits#", "closed", "kind kind", "late"],
  fresh: true,
};
