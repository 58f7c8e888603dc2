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
  lua: "local b=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local t,M=ARGV[2],tonumber(ARGV[7])local c,s=t:sub(1,36),tonumber(t:sub(38))or 1 if j('semaphore')then return{'kind',e,d}end local y=redis.call('ZMSCORE',i,'t'..c,'p'..c)local o,h=R(y[1])if q(c)or h then return{'closed',e}end if o>0 then return S(t,o)or{'closed',e}end local a=C or tonumber(ARGV[4])if ef(a,s)then return{'short',e,a or 0}end local m=y[2]and y[2]-4.5e15 if M>0 and m~=M then return{'held',e,0,0,0,0,1,0}end local N,p,F=0,{},{}if E>e then if M<0 then N=em()else N=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(m or 3.5e15)+4.5e15))end end if N>0 and M>=0 then p,F=et(8,-e)if#p>0 then redis.call('ZREM',i,unpack(p))end end if N==0 and a-ea()>=s then if m then p={'p'..c,'w'..c}elseif E<=e then p,F=et(s+25,-1024*e)end return V(t,s,'semaphore',ARGV[3],ARGV[5],p,F)end local k,O,n=0,math.max(e-l,0),nil if#p==0 then n=select(2,ed())if n then k=n-e end end local u=math.ceil(w/math.max(math.floor(a/s),1))local B=0 if M>=0 then B=#p>0 and H or eo(N,u,O,n and k or el)Q=m and Q or math.max(Q+1,e)m=m or Q E=math.max(E,e+B+ARGV[8]*1000)if d~='semaphore'and d~='none'then redis.call('UNLINK',i)end ei(c,m,B,ARGV[8],unpack(F))A('semaphore')L()g()end return{'held',e,k,O,u,N,B,m or 0}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|short permits#|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["a1de234e318b747fae65b1b611d8a70efa72ad6c", "e90b7bcc2cb2e676ba7b9419fc63392a1f735303"];
