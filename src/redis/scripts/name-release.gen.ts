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
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + requests + listen + wake + "local b,f,p=ARGV[2],tonumber(ARGV[3]),ARGV[4]if h==math.huge then return{'kind',a,j}end if x(b)then return{'released',a,g}end if h<=a then return{'idle',a,'none'}end local function t()local e,Q,o=redis.call('ZRANGEBYSCORE',d,a+1,4e15,'WITHSCORES'),{},0 for b=1,#e,2000 do local L={}for i=b,math.min(b+2000-1,#e),2 do table.insert(L,'t'..e[i]:sub(1,36))end for i,g in ipairs(redis.call('ZMSCORE',d,unpack(L)))do local a,d=ad(g),b+2*i-2 if a==f or p=='all'and a<f then table.insert(Q,e[d])else o=math.max(o,e[d+1])end end end return Q,o end local k=redis.call('ZCOUNT',d,a+1,4e15)local m,Q,o=g==f,{},0 if j=='semaphore'and p~='forget'then Q,o=t()m=#Q>0 elseif j=='rw'then local F,K=D:match('(%d+) (%d+) $')m=m or next(l)and tonumber(F)==f or k>0 and tonumber(K)==f end local r=k>0 or j~='latch'and next(l)if p~='forget'and not r then return{'idle',a,j}end if not m then return{'passed',a,g}end local c=j=='fair'and p~='forget'and redis.call('ZRANGEBYSCORE',d,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local e=j=='semaphore'and p~='forget'n('F')S(b,'F')if e then local c,p=D:match('^(%S*) %d+ %d+ %d+ (%d+)')if c==''then h=math.max(a,o,tonumber(p))end elseif j~='once'or p=='forget'then h,D=c and-c or 0,c and D or''end g=math.max(g+1,a)if j~='latch'then V()end if e then for b=1,#Q,2000 do local q={}for i=b,math.min(b+2000-1,#Q)do table.insert(q,u())table.insert(q,Q[i])end redis.call('ZADD',d,unpack(q))end elseif j~='latch'and not c then q()end if j=='lock'then ac(1)else ah()end local i=Z(j~='once'and j~='semaphore')if i then return i end if j=='latch'then redis.call('UNLINK',d)end return{'released',a,g}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9aba2f34ca3982a6e378988835a9b5651d02337d", "dea57b1bc006d8d6b0c4c67c490424ca642efd90"];
