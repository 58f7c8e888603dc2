// Generated from lua/name-release.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, fresh, oust, read_name, record, requests, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameReleaseReply =
  | { readonly status: "released"; readonly now: number; readonly token: number }
  | { readonly status: "passed"; readonly now: number; readonly token: number }
  | { readonly status: "idle"; readonly now: number; readonly type: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const nameRelease: Script<readonly [id: string | number, token: string | number, scope: string | number, retention: string | number], NameReleaseReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + oust + requests + "local b,h,m=ARGV[2],tonumber(ARGV[3]),ARGV[4]if f==math.huge then return{'kind',a,i}end if v(b)then return{'released',a,g}end if f<=a then return{'idle',a,'none'}end local function y()local e,P,s=redis.call('ZRANGEBYSCORE',d,a+1,4e15,'WITHSCORES'),{},0 for a=1,#e,2000 do local L={}for j=a,math.min(a+2000-1,#e),2 do table.insert(L,'t'..e[j]:sub(1,36))end for j,g in ipairs(redis.call('ZMSCORE',d,unpack(L)))do local b,f=V(g),a+2*j-2 if b==h or m=='all'and b<h then table.insert(P,e[f])else s=math.max(s,e[f+1])end end end return P,s end local j=redis.call('ZCOUNT',d,a+1,4e15)local l,P,s=g==h,{},0 if i=='semaphore'and m~='forget'then P,s=y()l=#P>0 elseif i=='rw'then local z,D=w:match('(%d+) (%d+) $')l=l or next(n)and tonumber(z)==h or j>0 and tonumber(D)==h end local o=j>0 or i~='latch'and next(n)if m~='forget'and not o then return{'idle',a,i}end if not l then return{'passed',a,g}end local c=i=='fair'and m~='forget'and redis.call('ZRANGEBYSCORE',d,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local e=i=='semaphore'and m~='forget'k('F')K(b,'F')if e then local b,j=w:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then f=math.max(a,s,tonumber(j))end elseif i~='once'or m=='forget'then f,w=c and-c or 0,c and w or''end g=math.max(g+1,a)if i~='latch'then O()end if e then for a=1,#P,2000 do local q={}for j=a,math.min(a+2000-1,#P)do table.insert(q,r())table.insert(q,P[j])end redis.call('ZADD',d,unpack(q))end elseif i~='latch'and not c then p()end local u=T(i~='once'and i~='semaphore')if u then return u end if i=='latch'then redis.call('UNLINK',d)end return{'released',a,g}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["cd516f0fca46a34363acd36221f209775590e83b", "d193e856a26943be55a8e325756f25128383e202"];
