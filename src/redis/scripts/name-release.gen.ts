// Generated from lua/name-release.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, listen, oust, read_name, record, requests, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameReleaseReply =
  | { readonly status: "released"; readonly now: number; readonly token: number }
  | { readonly status: "passed"; readonly now: number; readonly token: number }
  | { readonly status: "idle"; readonly now: number; readonly type: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const nameRelease: Script<readonly [id: string | number, token: string | number, scope: string | number, retention: string | number], NameReleaseReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + requests + listen + wake + "local b,f,n=ARGV[2],tonumber(ARGV[3]),ARGV[4]if g==math.huge then return{'kind',a,i}end if y(b)then return{'released',a,h}end if g<=a then return{'idle',a,'none'}end local function x()local g,M,p=redis.call('ZRANGEBYSCORE',e,a+1,4e15,'WITHSCORES'),{},0 for b=1,#g,2000 do local P={}for j=b,math.min(b+2000-1,#g),2 do table.insert(P,'t'..g[j]:sub(1,36))end for j,h in ipairs(redis.call('ZMSCORE',e,unpack(P)))do local a,d=ac(h),b+2*j-2 if a==f or n=='all'and a<f then table.insert(M,g[d])else p=math.max(p,g[d+1])end end end return M,p end local m=redis.call('ZCOUNT',e,a+1,4e15)local o,M,p=h==f,{},0 if i=='semaphore'and n~='forget'then M,p=x()o=#M>0 elseif i=='rw'then local C,J=B:match('(%d+) (%d+) $')o=o or next(l)and tonumber(C)==f or m>0 and tonumber(J)==f end local r=m>0 or i~='latch'and next(l)if n~='forget'and not r then return{'idle',a,i}end if not o then return{'passed',a,h}end local c=i=='fair'and n~='forget'and redis.call('ZRANGEBYSCORE',e,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local d=i=='semaphore'and n~='forget'k('F')Q(b,'F')if d then local c,o=B:match('^(%S*) %d+ %d+ %d+ (%d+)')if c==''then g=math.max(a,p,tonumber(o))end elseif i~='once'or n=='forget'then g,B=c and-c or 0,c and B or''end h=math.max(h+1,a)if i~='latch'then V()end if d then for b=1,#M,2000 do local u={}for j=b,math.min(b+2000-1,#M)do table.insert(u,t())table.insert(u,M[j])end redis.call('ZADD',e,unpack(u))end elseif i~='latch'and not c then q()end if i=='lock'then Z(1)else ah()end local j=X(i~='once'and i~='semaphore')if j then return j end if i=='latch'then redis.call('UNLINK',e)end return{'released',a,h}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["96a7d3437ad1da4dd53f86da1f5a43f52791a1e7", "882211ebceb1bea079bc8b55ff8be2898137fa59"];
