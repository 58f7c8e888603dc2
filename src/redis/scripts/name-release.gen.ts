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
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + vacate + crowd + oust + requests + "local b,f,l=ARGV[2],tonumber(ARGV[3]),ARGV[4]if e==math.huge then return{'kind',a,h}end if u(b)then return{'released',a,g}end if e<=a then return{'idle',a,'none'}end local function n()local d,M,r=redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES'),{},0 for a=1,#d,2000 do local J={}for i=a,math.min(a+2000-1,#d),2 do table.insert(J,'t'..d[i]:sub(1,36))end for i,g in ipairs(redis.call('ZMSCORE',i,unpack(J)))do local b,e=U(g),a+2*i-2 if b==f or l=='all'and b<f then table.insert(M,d[e])else r=math.max(r,d[e+1])end end end return M,r end local j=redis.call('ZCOUNT',i,a+1,4e15)local k,M,r=g==f,{},0 if h=='semaphore'and l~='forget'then M,r=n()k=#M>0 elseif h=='rw'then local x,C=t:match('(%d+) (%d+) $')k=k or next(m)and tonumber(x)==f or j>0 and tonumber(C)==f end local o=j>0 or h~='latch'and next(m)if l~='forget'and not o then return{'idle',a,h}end if not k then return{'passed',a,g}end Y('F')I(b,'F')if h=='semaphore'and l~='forget'then for a=1,#M,2000 do local m={}for i=a,math.min(a+2000-1,#M)do table.insert(m,aj())table.insert(m,M[i])end redis.call('ZREM',i,unpack(M,a,math.min(a+2000-1,#M)))redis.call('ZADD',i,unpack(m))end local b,l=t:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then e=math.max(a,r,tonumber(l))end else local c=h=='fair'and l~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]if h=='latch'then redis.call('UNLINK',i)elseif not c then A()end if h~='once'or l=='forget'then e,t=c and-c or 0,c and t or''end end g=math.max(g+1,a)N()local c=R(h~='once'and h~='semaphore')if c then return c end return{'released',a,g}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["d051b298058ed9e8b74f7f7311714646c1a54abd", "e60c1cdb61c369717d3c48838398f951c8dac048"];
