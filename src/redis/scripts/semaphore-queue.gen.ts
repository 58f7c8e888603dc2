// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, last_end, members, permits, queue, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number; readonly note: string }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: "local t=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + members + requests + last_end + semaphore + permits + queue + "local b,E=ARGV[2],tonumber(ARGV[7])local l,F=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if B('semaphore')then return{'kind',a,i}end local o=l..(b:match('@.*')or'')local y=redis.call('ZMSCORE',d,'t'..l,'p'..o)local h,p=V(y[1])if v(l)or p then return{'closed',a}end if h>0 then return Y(b,h)or{'closed',a}end local e=D or tonumber(ARGV[4])if at(e,F)then return{'short',a,e or 0}end local m=y[2]and ac(y[2])if E>0 and m~=E then return{'held',a,0,0,0,0,1,0,''}end local U,r,M=0,{},{}if j>a then if E<0 then U=au()else U=redis.call('ZCOUNT',d,4.5e15,string.format('(%.0f',m and aj(m)or 8e15))end end if U>0 and E>=0 then r,M=ak(8,-a)end if U==0 and e-al()>=F then if m then r={'p'..o,'w'..o}elseif j<=a then r,M=ak(F+25,ad())end return ah(b,F,'semaphore',ARGV[3],ARGV[5],r,M)end local A,R,P,c=0,math.max(a-g,0),'',nil if#r==0 then P,c=ap()if c then A=c-a end end local k=math.ceil(z/math.max(math.floor(e/F),1))local L=0 if E>=0 then L=#r>0 and 20000 or am(U,k,k/4,R,c and A or 2000000)S=m and S or math.max(S+1,a)m=m or S local e=a+L+ARGV[8]*1000 j=math.max(j,e)if i~='semaphore'and i~='none'then redis.call('UNLINK',d)end ao(o,m,e,unpack(M))local T={}for E,b in ipairs(r)do if b:sub(2)~=o then table.insert(T,b)end end if#T>0 then redis.call('ZREM',d,unpack(T))end G('semaphore')O()x()end return{'held',a,A,R,k,U,L,m or 0,aq(P or'')}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", ahead: "integer", back: "integer", ticket: "integer", note: "text" },
    short: { permits: "integer" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["8bc5fc2c77202c261ca31c8623ca5b021eb14487", "1b27f378d26914feb59972736fc21c5ffbbfeb50"];
