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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\n" + permits + "\n" + queue + "\nlocal b,ad=ARGV[2],tonumber(ARGV[7])local l,V=b:sub(1,36),tonumber(b:sub(38))or 1 if G('semaphore')then return{'kind',a,m}end local t=redis.call('ZMSCORE',j,'t'..l,'p'..l)local d,q=aN(t[1])if w(l)or q then return{'closed',a}end if d>0 then return aE(b,d)or{'closed',a}end local M=t[2]and t[2]-4.5e15 if ad>0 and M~=ad then return{'held',a,0,0,0,0,1,0}end local g,ag,K,aa=x or tonumber(ARGV[4])or 0,0,{},{}if E>a then if ad<0 then ag=cf()else ag=redis.call('ZCOUNT',j,4.5e15,string.format('(%.0f',(M or 3.5e15)+4.5e15))end end if ag>0 and ad>=0 then K,aa=bz(8,ARGV[6])if#K>0 then redis.call('ZREM',j,unpack(K))end end if ag==0 and g-bA()>=V then if M then K={'p'..l,'w'..l}elseif E<=a then K,aa=bz(math.max(V,25),ARGV[6])end return bn(b,V,'semaphore',ARGV[3],ARGV[5],ARGV[6],K,aa)end local s,av=ARGV[5]*1000,math.max(a-h,0)if#K==0 then local N,c=bR()if c then s=c-a end end local ax=math.ceil(u/math.max(math.floor(g/V),1))local P=0 if ad>=0 then P=#K>0 and ap or bE(ag,ax,av,s)aj=M and aj or math.max(aj+1,a)M=M or aj E=math.max(E,a+P+ARGV[8]*1000)if m~='semaphore'and m~='none'then redis.call('UNLINK',j)end bP(l,M,P,ARGV[8],unpack(aa))A('semaphore')U(ARGV[6])y(ARGV[6])end return{'held',a,s,av,ax,ag,P,M or 0}",
  sha: ["b4f617ebbd05d5e470ce718d6be7873a0bece984", "0d83948041fe69942fb76a1cd1a0239ffc70d691"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "closed", "kind kind", "late"],
  fresh: true,
};
