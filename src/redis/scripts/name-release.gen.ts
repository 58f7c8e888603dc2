// Generated from lua/name-release.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, requests, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameReleaseReply =
  | { readonly status: "released"; readonly now: number; readonly token: number }
  | { readonly status: "passed"; readonly now: number; readonly token: number }
  | { readonly status: "idle"; readonly now: number; readonly type: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const nameRelease: Script<readonly [id: string | number, token: string | number, scope: string | number, retention: string | number], NameReleaseReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + vacate + crowd + oust + requests + "local b,g,m=ARGV[2],tonumber(ARGV[3]),ARGV[4]if e==math.huge then return{'kind',a,h}end if u(b)then return{'released',a,f}end if e<=a then return{'idle',a,'none'}end local function n()local d,M,r=redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES'),{},0 for a=1,#d,2000 do local J={}for i=a,math.min(a+2000-1,#d),2 do table.insert(J,'t'..d[i]:sub(1,36))end for i,f in ipairs(redis.call('ZMSCORE',i,unpack(J)))do local b,e=U(f),a+2*i-2 if b==g or m=='all'and b<g then table.insert(M,d[e])else r=math.max(r,d[e+1])end end end return M,r end local j=redis.call('ZCOUNT',i,a+1,4e15)local k,M,r=f==g,{},0 if h=='semaphore'and m~='forget'then M,r=n()k=#M>0 elseif h=='rw'then local x,C=t:match('(%d+) (%d+) $')k=k or next(l)and tonumber(x)==g or j>0 and tonumber(C)==g end local o=j>0 or h~='latch'and next(l)if m~='forget'and not o then return{'idle',a,h}end if not k then return{'passed',a,f}end Y('F')I(b,'F')if h=='semaphore'and m~='forget'then for a=1,#M,2000 do local l={}for i=a,math.min(a+2000-1,#M)do table.insert(l,al())table.insert(l,M[i])end redis.call('ZREM',i,unpack(M,a,math.min(a+2000-1,#M)))redis.call('ZADD',i,unpack(l))end local b,m=t:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then e=math.max(a,r,tonumber(m))end else local c=h=='fair'and m~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]if h=='latch'then redis.call('UNLINK',i)elseif not c then A()end if h~='once'or m=='forget'then e,t=c and-c or 0,c and t or''end end f=math.max(f+1,a)N()local c=R(h~='once'and h~='semaphore')if c then return c end return{'released',a,f}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9d213a3f7407a40b605b6a885ec370602856b2f6", "c47e680368a808157b6f4cba91e099a6159a3093"];
