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
  lua: "local r=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + vacate + crowd + oust + requests + "local b,e,l=ARGV[2],tonumber(ARGV[3]),ARGV[4]if g==math.huge then return{'kind',a,h}end if u(b)then return{'released',a,f}end if g<=a then return{'idle',a,'none'}end local function n()local d,M,s=redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES'),{},0 for a=1,#d,2000 do local J={}for i=a,math.min(a+2000-1,#d),2 do table.insert(J,'t'..d[i]:sub(1,36))end for i,f in ipairs(redis.call('ZMSCORE',i,unpack(J)))do local b,g=T(f),a+2*i-2 if b==e or l=='all'and b<e then table.insert(M,d[g])else s=math.max(s,d[g+1])end end end return M,s end local j=redis.call('ZCOUNT',i,a+1,4e15)local k,M,s=f==e,{},0 if h=='semaphore'and l~='forget'then M,s=n()k=#M>0 elseif h=='rw'then local w,C=t:match('(%d+) (%d+) $')k=k or next(m)and tonumber(w)==e or j>0 and tonumber(C)==e end local o=j>0 or h~='latch'and next(m)if l~='forget'and not o then return{'idle',a,h}end if not k then return{'passed',a,f}end Y('F')I(b,'F')if h=='semaphore'and l~='forget'then for a=1,#M,2000 do local m={}for i=a,math.min(a+2000-1,#M)do table.insert(m,ai())table.insert(m,M[i])end redis.call('ZREM',i,unpack(M,a,math.min(a+2000-1,#M)))redis.call('ZADD',i,unpack(m))end local b,l=t:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then g=math.max(a,s,tonumber(l))end else local c=h=='fair'and l~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]if h=='latch'then redis.call('UNLINK',i)elseif not c then A()end if h~='once'or l=='forget'then g,t=c and-c or 0,c and t or''end end f=math.max(f+1,a)N()local c=Q(h~='once'and h~='semaphore')if c then return c end return{'released',a,f}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b3d42f0b0391b8dccc3a4d2d49078456fb1308be", "7ad49d46acd75689022a009a68a7eeddb94a8dba"];
