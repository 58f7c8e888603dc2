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
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + vacate + crowd + oust + requests + "local b,d,m=ARGV[2],tonumber(ARGV[3]),ARGV[4]if g==math.huge then return{'kind',a,h}end if t(b)then return{'released',a,e}end if g<=a then return{'idle',a,'none'}end local function f()local e,M,r=redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES'),{},0 for a=1,#e,2000 do local J={}for i=a,math.min(a+2000-1,#e),2 do table.insert(J,'t'..e[i]:sub(1,36))end for i,b in ipairs(redis.call('ZMSCORE',i,unpack(J)))do local c,f=S(b),a+2*i-2 if c==d or m=='all'and c<d then table.insert(M,e[f])else r=math.max(r,e[f+1])end end end return M,r end local j=redis.call('ZCOUNT',i,a+1,4e15)local k,M,r=e==d,{},0 if h=='semaphore'and m~='forget'then M,r=f()k=#M>0 elseif h=='rw'then local v,x=s:match('(%d+) (%d+) $')k=k or next(l)and tonumber(v)==d or j>0 and tonumber(x)==d end local x=j>0 or h~='latch'and next(l)if m~='forget'and not x then return{'idle',a,h}end if not k then return{'passed',a,e}end V('F')I(b,'F')if h=='semaphore'and m~='forget'then for a=1,#M,2000 do local l={}for i=a,math.min(a+2000-1,#M)do table.insert(l,ag())table.insert(l,M[i])end redis.call('ZREM',i,unpack(M,a,math.min(a+2000-1,#M)))redis.call('ZADD',i,unpack(l))end local b,n=s:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then g=math.max(a,r,tonumber(n))end else local c=h=='fair'and m~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]if h=='latch'then redis.call('UNLINK',i)elseif not c then Z()end if h~='once'or m=='forget'then g,s=c and-c or 0,c and s or''end end e=math.max(e+1,a)N()local c=Q(h~='once'and h~='semaphore')if c then return c end return{'released',a,e}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f21efed859c0411e2aeb713e2aa926149baaf292", "f274853681465bd852898bf098bf3879c8f4432e"];
