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
  lua: "local E=tonumber(ARGV[6])\n" + clock + fresh + one + record + crowd + members + semaphore + permits + queue + "local i,A=ARGV[2],tonumber(ARGV[7])local s,n=i:sub(1,36),tonumber(i:match('^%d+',38))or 1 if S('semaphore')then return{'kind',e,m}end local g=redis.call('ZMSCORE',d,'t'..s,'p'..s)local o,y=w(g[1])if W(s)or y then return{'closed',e}end if o>0 then return I(i,o)or{'closed',e}end local a=G or tonumber(ARGV[4])if ef(a,n)then return{'short',e,a or 0}end local j=g[2]and g[2]-4.5e15 if A>0 and j~=A then return{'held',e,0,0,0,0,1,0}end local R,O,k=0,{},{}if h>e then if A<0 then R=eu()else R=redis.call('ZCOUNT',d,4.5e15,string.format('(%.0f',(j or 3.5e15)+4.5e15))end end if R>0 and A>=0 then O,k=et(8,-e)if#O>0 then redis.call('ZREM',d,unpack(O))end end if R==0 and a-eo()>=n then if j then O={'p'..s,'w'..s}elseif h<=e then O,k=et(n+25,-1024*e)end return C(i,n,'semaphore',ARGV[3],ARGV[5],O,k)end local L,D,t=0,math.max(e-r,0),nil if#O==0 then t=select(2,ed())if t then L=t-e end end local T=math.ceil(x/math.max(math.floor(a/n),1))local u=0 if A>=0 then u=#O>0 and Y or er(R,T,T/4,D,t and L or ee)H=j and H or math.max(H+1,e)j=j or H local a=e+u+ARGV[8]*1000 h=math.max(h,a)if m~='semaphore'and m~='none'then redis.call('UNLINK',d)end em(s,j,a,unpack(k))K('semaphore')Z()X()end return{'held',e,L,D,T,R,u,j or 0}",
  replies: "granted token remaining holds|held remaining age tenure ahead back ticket|short permits|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["0f7e90ce4bf0b7e939c8ed377f497b68b1de8bad", "29085ff955729fe9684483c3d9d5552d1338826c"];
