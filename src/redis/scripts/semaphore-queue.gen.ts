// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, last_end, listen, members, permits, queue, read_name, record, requests, semaphore, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number; readonly note: string; readonly listed: number }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number, listens: string | number, ownPace: string | number], SemaphoreQueueReply> = {
  lua: "local v=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + keep + failed + members + requests + last_end + semaphore + listen + wake + wake_head + permits + queue + "local b,j=ARGV[2],tonumber(ARGV[7])local k,n=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if D('semaphore')then return{'kind',a,i}end local r=k..(b:match('@.*')or'')local z=redis.call('ZMSCORE',e,'t'..k,'p'..r)local f,q=ac(z[1])if y(k)or q then return{'closed',a}end if f>0 then return U(b,f)or{'closed',a}end local d=H or tonumber(ARGV[4])if aE(d,n)then return{'short',a,d or 0}end local m=z[2]and aa(z[2])if j>0 and m~=j then return{'held',a,0,0,0,0,1,0,'',0}end local I,t,K=0,{},{}if o>a then if j<0 then I=aF()else I=redis.call('ZCOUNT',e,4.5e15,string.format('(%.0f',m and ar(m)or 8e15))end end if I>0 and j>=0 then t,K=au(8,-a)end local Y=I==0 and d-av()or 0 if I==0 and Y>=n then if Y>n then an(m and 1 or 0)end if m then t={'p'..r,'w'..r}elseif o<=a then t,K=au(n+25,aq())end return ai(b,n,'semaphore',ARGV[3],ARGV[5],t,K)end local x,P,T,c=0,math.max(a-h,0),'',nil if#t==0 then T,c=aB()if c then x=c-a end end local M=math.ceil(C/math.max(math.floor(d/n),1))local E,u=0,0 if j>=0 then u=ae(k,ARGV[9],'w')if#t>0 then E=20000 elseif ARGV[10]=='1'or u==1 and c then E=math.floor(math.min(2000000,c and x+1000 or 2000000))else E=aw(I,M,M/4,P,c and x or 2000000)end ab=m and ab or math.max(ab+1,a)m=m or ab local h=a+E+ARGV[8]*1000 o=math.max(o,h)if i~='semaphore'and i~='none'then redis.call('UNLINK',e)end aA(r,m,h,unpack(K))local X={}for K,b in ipairs(t)do if b:sub(2)~=r then table.insert(X,b)end end if#X>0 then redis.call('ZREM',e,unpack(X))end F('semaphore')V()s()end return{'held',a,x,P,M,I,E,m or 0,aC(T or''),u}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", ahead: "integer", back: "integer", ticket: "integer", note: "text", listed: "integer" },
    short: { permits: "integer" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["60c58e4ec695f0497048fbdf08518a05178fd4de", "969b14d6ebed3d6e98a0ab04255a4c7b2aec5135"];
