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
  lua: "local r=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + vacate + crowd + oust + requests + "local b,e,l=ARGV[2],tonumber(ARGV[3]),ARGV[4]if g==math.huge then return{'kind',a,h}end if v(b)then return{'released',a,f}end if g<=a then return{'idle',a,'none'}end local function d()local f,N,s=redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES'),{},0 for a=1,#f,2000 do local K={}for i=a,math.min(a+2000-1,#f),2 do table.insert(K,'t'..f[i]:sub(1,36))end for i,b in ipairs(redis.call('ZMSCORE',i,unpack(K)))do local c,d=T(b),a+2*i-2 if c==e or l=='all'and c<e then table.insert(N,f[d])else s=math.max(s,f[d+1])end end end return N,s end local j=redis.call('ZCOUNT',i,a+1,4e15)local k,N,s=f==e,{},0 if h=='semaphore'and l~='forget'then N,s=d()k=#N>0 elseif h=='rw'then local x,C=t:match('(%d+) (%d+) $')k=k or next(m)and tonumber(x)==e or j>0 and tonumber(C)==e end local u=j>0 or h~='latch'and next(m)if l~='forget'and not u then return{'idle',a,h}end if not k then return{'passed',a,f}end W('F')J(b,'F')if h=='semaphore'and l~='forget'then for a=1,#N,2000 do local m={}for i=a,math.min(a+2000-1,#N)do table.insert(m,ag())table.insert(m,N[i])end redis.call('ZREM',i,unpack(N,a,math.min(a+2000-1,#N)))redis.call('ZADD',i,unpack(m))end local b,n=t:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then g=math.max(a,s,tonumber(n))end else local c=h=='fair'and l~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]if h=='latch'then redis.call('UNLINK',i)elseif not c then X()end if h~='once'or l=='forget'then g,t=c and-c or 0,c and t or''end end f=math.max(f+1,a)O()local c=R(h~='once'and h~='semaphore')if c then return c end return{'released',a,f}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["85cd53f72c63de4aa836f284e97664e5ac2db3a5", "2bcac4ba286e96739b9a116226a4e3c3c926b89b"];
