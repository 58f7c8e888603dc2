// Generated from lua/name-release.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, oust, read_name, record, requests, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameReleaseReply =
  | { readonly status: "released"; readonly now: number; readonly token: number }
  | { readonly status: "passed"; readonly now: number; readonly token: number }
  | { readonly status: "idle"; readonly now: number; readonly type: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const nameRelease: Script<readonly [id: string | number, token: string | number, scope: string | number, retention: string | number], NameReleaseReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + requests + "local b,f,n=ARGV[2],tonumber(ARGV[3]),ARGV[4]if g==math.huge then return{'kind',a,j}end if w(b)then return{'released',a,h}end if g<=a then return{'idle',a,'none'}end local function y()local g,J,v=redis.call('ZRANGEBYSCORE',d,a+1,4e15,'WITHSCORES'),{},0 for a=1,#g,2000 do local N={}for i=a,math.min(a+2000-1,#g),2 do table.insert(N,'t'..g[i]:sub(1,36))end for i,h in ipairs(redis.call('ZMSCORE',d,unpack(N)))do local b,e=Y(h),a+2*i-2 if b==f or n=='all'and b<f then table.insert(J,g[e])else v=math.max(v,g[e+1])end end end return J,v end local m=redis.call('ZCOUNT',d,a+1,4e15)local o,J,v=h==f,{},0 if j=='semaphore'and n~='forget'then J,v=y()o=#J>0 elseif j=='rw'then local A,F=s:match('(%d+) (%d+) $')o=o or next(l)and tonumber(A)==f or m>0 and tonumber(F)==f end local q=m>0 or j~='latch'and next(l)if n~='forget'and not q then return{'idle',a,j}end if not o then return{'passed',a,h}end local c=j=='fair'and n~='forget'and redis.call('ZRANGEBYSCORE',d,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local e=j=='semaphore'and n~='forget'k('F')O(b,'F')if e then local c,o=s:match('^(%S*) %d+ %d+ %d+ (%d+)')if c==''then g=math.max(a,v,tonumber(o))end elseif j~='once'or n=='forget'then g,s=c and-c or 0,c and s or''end h=math.max(h+1,a)if j~='latch'then T()end if e then for a=1,#J,2000 do local s={}for i=a,math.min(a+2000-1,#J)do table.insert(s,r())table.insert(s,J[i])end redis.call('ZADD',d,unpack(s))end elseif j~='latch'and not c then p()end local i=U(j~='once'and j~='semaphore')if i then return i end if j=='latch'then redis.call('UNLINK',d)end return{'released',a,h}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c8b208340c683b7c09012be6d709002cd9cb01e2", "5614b52792016740891386baa53e2156ba4022cd"];
