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
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + vacate + crowd + oust + requests + "local b,e,m=ARGV[2],tonumber(ARGV[3]),ARGV[4]if g==math.huge then return{'kind',a,h}end if u(b)then return{'released',a,f}end if g<=a then return{'idle',a,'none'}end local function d()local f,N,r=redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES'),{},0 for a=1,#f,2000 do local K={}for i=a,math.min(a+2000-1,#f),2 do table.insert(K,'t'..f[i]:sub(1,36))end for i,b in ipairs(redis.call('ZMSCORE',i,unpack(K)))do local c,d=T(b),a+2*i-2 if c==e or m=='all'and c<e then table.insert(N,f[d])else r=math.max(r,f[d+1])end end end return N,r end local j=redis.call('ZCOUNT',i,a+1,4e15)local k,N,r=f==e,{},0 if h=='semaphore'and m~='forget'then N,r=d()k=#N>0 elseif h=='rw'then local t,B=s:match('(%d+) (%d+) $')k=k or next(l)and tonumber(t)==e or j>0 and tonumber(B)==e end local t=j>0 or h~='latch'and next(l)if m~='forget'and not t then return{'idle',a,h}end if not k then return{'passed',a,f}end X('F')J(b,'F')if h=='semaphore'and m~='forget'then for a=1,#N,2000 do local l={}for i=a,math.min(a+2000-1,#N)do table.insert(l,ah())table.insert(l,N[i])end redis.call('ZREM',i,unpack(N,a,math.min(a+2000-1,#N)))redis.call('ZADD',i,unpack(l))end local b,n=s:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then g=math.max(a,r,tonumber(n))end else local c=h=='fair'and m~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]if h=='latch'then redis.call('UNLINK',i)elseif not c then w()end if h~='once'or m=='forget'then g,s=c and-c or 0,c and s or''end end f=math.max(f+1,a)O()local c=R(h~='once'and h~='semaphore')if c then return c end return{'released',a,f}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f82f6aeb5120ad5f01e9b4b8658d5fbddd8b2acc", "03624cca0c3640f2d16fff5c993bb4b6043c2b82"];
