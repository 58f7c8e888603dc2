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
  lua: "local b=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local t,H=ARGV[2],tonumber(ARGV[7])local s,c=t:sub(1,36),tonumber(t:sub(38))or 1 if C('semaphore')then return{'kind',e,d}end local g=redis.call('ZMSCORE',i,'t'..s,'p'..s)local o,h=T(g[1])if q(s)or h then return{'closed',e}end if o>0 then return R(t,o)or{'closed',e}end local a=j or tonumber(ARGV[4])if ef(a,c)then return{'short',e,a or 0}end local f=g[2]and g[2]-4.5e15 if H>0 and f~=H then return{'held',e,0,0,0,0,1,0}end local M,p,y=0,{},{}if E>e then if H<0 then M=em()else M=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(f or 3.5e15)+4.5e15))end end if M>0 and H>=0 then p,y=et(8,-e)if#p>0 then redis.call('ZREM',i,unpack(p))end end if M==0 and a-ea()>=c then if f then p={'p'..s,'w'..s}elseif E<=e then p,y=et(c+25,-1024*e)end return V(t,c,'semaphore',ARGV[3],ARGV[5],p,y)end local u,Q,n=0,math.max(e-l,0),nil if#p==0 then n=select(2,ed())if n then u=n-e end end local L=math.ceil(w/math.max(math.floor(a/c),1))local B=0 if H>=0 then B=#p>0 and G or eo(M,L,Q,n and u or el)O=f and O or math.max(O+1,e)f=f or O E=math.max(E,e+B+ARGV[8]*1000)if d~='semaphore'and d~='none'then redis.call('UNLINK',i)end ei(s,f,B,ARGV[8],unpack(y))A('semaphore')K()v()end return{'held',e,u,Q,L,M,B,f or 0}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|short permits#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["5fc1f9f1237430adf9384fd19e4ccea48167e219", "5f973537aaa96c4ef8ef929c80609ae53118af97"];
