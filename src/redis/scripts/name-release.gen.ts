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
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + vacate + crowd + oust + requests + "local b,e,n=ARGV[2],tonumber(ARGV[3]),ARGV[4]if g==math.huge then return{'kind',a,h}end if v(b)then return{'released',a,f}end if g<=a then return{'idle',a,'none'}end local function d()local f,M,s=redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES'),{},0 for a=1,#f,2000 do local K={}for i=a,math.min(a+2000-1,#f),2 do table.insert(K,'t'..f[i]:sub(1,36))end for i,b in ipairs(redis.call('ZMSCORE',i,unpack(K)))do local c,d=T(b),a+2*i-2 if c==e or n=='all'and c<e then table.insert(M,f[d])else s=math.max(s,f[d+1])end end end return M,s end local l=redis.call('ZCOUNT',i,a+1,4e15)local j,M,s=f==e,{},0 if h=='semaphore'and n~='forget'then M,s=d()j=#M>0 elseif h=='rw'then local x,B=q:match('(%d+) (%d+) $')j=j or next(m)and tonumber(x)==e or l>0 and tonumber(B)==e end local k=l>0 or h~='latch'and next(m)if n~='forget'and not k then return{'idle',a,h}end if not j then return{'passed',a,f}end W('F')J(b,'F')if h=='semaphore'and n~='forget'then for a=1,#M,2000 do local m={}for i=a,math.min(a+2000-1,#M)do table.insert(m,ag())table.insert(m,M[i])end redis.call('ZREM',i,unpack(M,a,math.min(a+2000-1,#M)))redis.call('ZADD',i,unpack(m))end local b,n=q:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then g=math.max(a,s,tonumber(n))end else local c=h=='fair'and n~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]if h=='latch'then redis.call('UNLINK',i)elseif not c then X()end if h~='once'or n=='forget'then g,q=c and-c or 0,c and q or''end end f=math.max(f+1,a)N()local c=R(h~='once'and h~='semaphore')if c then return c end return{'released',a,f}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["36e78351eba5ba3e7e6192e6869d79cbb0c1678d", "16f47d8b2c6a3a0f07b0f4a2691598f67cd9d18d"];
