// Generated from lua/semaphore-queue.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, last_end, members, permits, queue, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreQueueReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number; readonly note: string }
  | { readonly status: "short"; readonly now: number; readonly permits: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreQueue: Script<readonly [id: string | number, lease: string | number, permits: string | number, ttl: string | number, retention: string | number, ticket: string | number, grace: string | number], SemaphoreQueueReply> = {
  lua: "local s=tonumber(ARGV[6])\n" + clock + fresh + read_name + record + crowd + keep + failed + members + requests + last_end + semaphore + permits + queue + "local b,j=ARGV[2],tonumber(ARGV[7])local k,l=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if B('semaphore')then return{'kind',a,i}end local p=k..(b:match('@.*')or'')local w=redis.call('ZMSCORE',d,'t'..k,'p'..p)local g,r=X(w[1])if x(k)or r then return{'closed',a}end if g>0 then return R(b,g)or{'closed',a}end local e=E or tonumber(ARGV[4])if av(e,l)then return{'short',a,e or 0}end local m=w[2]and V(w[2])if j>0 and m~=j then return{'held',a,0,0,0,0,1,0,''}end local W,t,F=0,{},{}if o>a then if j<0 then W=aw()else W=redis.call('ZCOUNT',d,4.5e15,string.format('(%.0f',m and ad(m)or 8e15))end end if W>0 and j>=0 then t,F=aj(8,-a)end if W==0 and e-am()>=l then if m then t={'p'..p,'w'..p}elseif o<=a then t,F=aj(l+25,ai())end return ac(b,l,'semaphore',ARGV[3],ARGV[5],t,F)end local A,H,O,c=0,math.max(a-h,0),'',nil if#t==0 then O,c=as()if c then A=c-a end end local J=math.ceil(z/math.max(math.floor(e/l),1))local D=0 if j>=0 then D=#t>0 and 20000 or an(W,J,J/4,H,c and A or 2000000)U=m and U or math.max(U+1,a)m=m or U local e=a+D+ARGV[8]*1000 o=math.max(o,e)if i~='semaphore'and i~='none'then redis.call('UNLINK',d)end ar(p,m,e,unpack(F))local T={}for H,b in ipairs(t)do if b:sub(2)~=p then table.insert(T,b)end end if#T>0 then redis.call('ZREM',d,unpack(T))end I('semaphore')P()y()end return{'held',a,A,H,J,W,D,m or 0,at(O or'')}",
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
export const sha: readonly [plain: string, flagged: string] = ["b288b3e21ce72c421378450d96ee3f15a639f566", "c28a1dded4b5af7427a6916460f4ca29a01c1697"];
