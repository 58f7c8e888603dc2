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
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + requests + "local b,g,o=ARGV[2],tonumber(ARGV[3]),ARGV[4]if f==math.huge then return{'kind',a,i}end if x(b)then return{'released',a,h}end if f<=a then return{'idle',a,'none'}end local function w()local f,R,v=redis.call('ZRANGEBYSCORE',d,a+1,4e15,'WITHSCORES'),{},0 for a=1,#f,2000 do local J={}for j=a,math.min(a+2000-1,#f),2 do table.insert(J,'t'..f[j]:sub(1,36))end for j,h in ipairs(redis.call('ZMSCORE',d,unpack(J)))do local b,e=X(h),a+2*j-2 if b==g or o=='all'and b<g then table.insert(R,f[e])else v=math.max(v,f[e+1])end end end return R,v end local k=redis.call('ZCOUNT',d,a+1,4e15)local m,R,v=h==g,{},0 if i=='semaphore'and o~='forget'then R,v=w()m=#R>0 elseif i=='rw'then local z,E=q:match('(%d+) (%d+) $')m=m or next(n)and tonumber(z)==g or k>0 and tonumber(E)==g end local p=k>0 or i~='latch'and next(n)if o~='forget'and not p then return{'idle',a,i}end if not m then return{'passed',a,h}end local c=i=='fair'and o~='forget'and redis.call('ZRANGEBYSCORE',d,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local e=i=='semaphore'and o~='forget'l('F')N(b,'F')if e then local c,o=q:match('^(%S*) %d+ %d+ %d+ (%d+)')if c==''then f=math.max(a,v,tonumber(o))end elseif i~='once'or o=='forget'then f,q=c and-c or 0,c and q or''end h=math.max(h+1,a)if i~='latch'then P()end if e then for a=1,#R,2000 do local q={}for j=a,math.min(a+2000-1,#R)do table.insert(q,t())table.insert(q,R[j])end redis.call('ZADD',d,unpack(q))end elseif i~='latch'and not c then r()end local j=V(i~='once'and i~='semaphore')if j then return j end if i=='latch'then redis.call('UNLINK',d)end return{'released',a,h}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["71e93a6da4ed045dea8b82f4a13f9eccc5a494d9", "b8d73b5100cfb64ff74ea4221f0c41cc885247b1"];
