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
  lua: "local b=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local t,M=ARGV[2],tonumber(ARGV[7])local c,s=t:sub(1,36),tonumber(t:sub(38))or 1 if z('semaphore')then return{'kind',e,d}end local w=redis.call('ZMSCORE',i,'t'..c,'p'..c)local o,h=S(w[1])if q(c)or h then return{'closed',e}end if o>0 then return P(t,o)or{'closed',e}end local a=C or tonumber(ARGV[4])if ef(a,s)then return{'short',e,a or 0}end local m=w[2]and w[2]-4.5e15 if M>0 and m~=M then return{'held',e,0,0,0,0,1,0}end local O,p,G=0,{},{}if D>e then if M<0 then O=em()else O=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',(m or 3.5e15)+4.5e15))end end if O>0 and M>=0 then p,G=W(8,-e)if#p>0 then redis.call('ZREM',i,unpack(p))end end if O==0 and a-ea()>=s then if m then p={'p'..c,'w'..c}elseif D<=e then p,G=W(s+25,-1024*e)end return T(t,s,'semaphore',ARGV[3],ARGV[5],p,G)end local g,N,n=0,math.max(e-l,0),nil if#p==0 then n=select(2,ed())if n then g=n-e end end local u=math.ceil(x/math.max(math.floor(a/s),1))local B=0 if M>=0 then B=#p>0 and H or eo(O,u,N,n and g or el)R=m and R or math.max(R+1,e)m=m or R D=math.max(D,e+B+ARGV[8]*1000)if d~='semaphore'and d~='none'then redis.call('UNLINK',i)end ei(c,m,B,ARGV[8],unpack(G))A('semaphore')K()v()end return{'held',e,g,N,u,O,B,m or 0}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|short permits#|closed|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["96749b28c3da2ea4147244759c642f4813f2394c", "5f1857713bee6597840bc0a5db88bb312022fd4a"];
