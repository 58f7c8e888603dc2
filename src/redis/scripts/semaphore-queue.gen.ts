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
  lua: "local w=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + keep + failed + members + requests + last_end + semaphore + listen + wake + wake_head + permits + queue + "local b,i=ARGV[2],tonumber(ARGV[7])local k,n=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if E('semaphore')then return{'kind',a,j}end local r=k..(b:match('@.*')or'')local z=redis.call('ZMSCORE',d,'t'..k,'p'..r)local f,t=ad(z[1])if x(k)or t then return{'closed',a}end if f>0 then return Z(b,f)or{'closed',a}end local e=J or tonumber(ARGV[4])if aG(e,n)then return{'short',a,e or 0}end local C=z[2]and an(z[2])if i>0 and C~=i then return{'held',a,0,0,0,0,1,0,'',0}end local Q,u,G=0,{},{}if p>a then if i<0 then Q=ax()else Q=redis.call('ZCOUNT',d,4.5e15,string.format('(%.0f',C and ar(C)or 8e15))end end if Q>0 and i>=0 then u,G=q(8,-a)end local Y=Q==0 and e-aw()or 0 if Y>=n then if Y>n then ai(C and 1 or 0)end if C then u={'p'..r,'w'..r}elseif p<=a then u,G=q(n+25,at())end return aa(b,n,'semaphore',ARGV[3],ARGV[5],u,G)end local A,P,U,c=0,math.max(a-g,0),'',nil if#u==0 then U,c=aD()if c then A=c-a end end local L=math.ceil(F/math.max(math.floor(e/n),1))local m,v=0,0 if i>=0 then v=ae(k,ARGV[9],'w')if#u>0 then m=20000 elseif ARGV[10]=='1'or v==1 and c then m=math.floor(math.min(2000000,c and A+1000 or 2000000))else m=ay(Q,L,L/4,P,c and A or 2000000)end W=C and W or math.max(W+1,a)C=C or W local g=a+m+ARGV[8]*1000 p=math.max(p,g)if j~='semaphore'and j~='none'then redis.call('UNLINK',d)end aC(r,C,g,unpack(G))local aj={}for C,b in ipairs(u)do if b:sub(2)~=r then table.insert(aj,b)end end if#aj>0 then redis.call('ZREM',d,unpack(aj))end H('semaphore')V()s()end return{'held',a,A,P,L,Q,m,C or 0,aE(U or''),v}",
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
export const sha: readonly [plain: string, flagged: string] = ["1b9e99e15051da5d87f40fd3704b5de6b49efd65", "8f9c690718902613b7da6d32f880147249cf62f4"];
