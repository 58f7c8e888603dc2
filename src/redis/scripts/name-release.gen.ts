// Generated from lua/name-release.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, fresh, oust, read_name, record, requests, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameReleaseReply =
  | { readonly status: "released"; readonly now: number; readonly token: number }
  | { readonly status: "passed"; readonly now: number; readonly token: number }
  | { readonly status: "idle"; readonly now: number; readonly type: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const nameRelease: Script<readonly [id: string | number, token: string | number, scope: string | number, retention: string | number], NameReleaseReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + oust + requests + "local b,g,n=ARGV[2],tonumber(ARGV[3]),ARGV[4]if e==math.huge then return{'kind',a,h}end if v(b)then return{'released',a,f}end if e<=a then return{'idle',a,'none'}end local function y()local d,P,s=redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES'),{},0 for a=1,#d,2000 do local L={}for i=a,math.min(a+2000-1,#d),2 do table.insert(L,'t'..d[i]:sub(1,36))end for i,f in ipairs(redis.call('ZMSCORE',i,unpack(L)))do local b,e=V(f),a+2*i-2 if b==g or n=='all'and b<g then table.insert(P,d[e])else s=math.max(s,d[e+1])end end end return P,s end local k=redis.call('ZCOUNT',i,a+1,4e15)local l,P,s=f==g,{},0 if h=='semaphore'and n~='forget'then P,s=y()l=#P>0 elseif h=='rw'then local B,D=w:match('(%d+) (%d+) $')l=l or next(m)and tonumber(B)==g or k>0 and tonumber(D)==g end local o=k>0 or h~='latch'and next(m)if n~='forget'and not o then return{'idle',a,h}end if not l then return{'passed',a,f}end local c=h=='fair'and n~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local d=h=='semaphore'and n~='forget'j('F')K(b,'F')if d then local b,n=w:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then e=math.max(a,s,tonumber(n))end elseif h~='once'or n=='forget'then e,w=c and-c or 0,c and w or''end f=math.max(f+1,a)if h~='latch'then O()end if d then for a=1,#P,2000 do local q={}for i=a,math.min(a+2000-1,#P)do table.insert(q,r())table.insert(q,P[i])end redis.call('ZADD',i,unpack(q))end elseif h~='latch'and not c then p()end local u=T(h~='once'and h~='semaphore')if u then return u end if h=='latch'then redis.call('UNLINK',i)end return{'released',a,f}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["8c3c8edb6d145c1f2f22eab046c834ddbdb5f5be", "3bc90416cebd3f9dfbf1a72988d55d45d72e0a07"];
