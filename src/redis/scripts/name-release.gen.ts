// Generated from lua/name-release.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameReleaseReply =
  | { readonly status: "released"; readonly now: number; readonly token: number }
  | { readonly status: "passed"; readonly now: number; readonly token: number }
  | { readonly status: "idle"; readonly now: number; readonly type: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const nameRelease: Script<readonly [id: string | number, token: string | number, scope: string | number, retention: string | number], NameReleaseReply> = {
  lua: "local E=tonumber(ARGV[5])\n" + clock + fresh + one + record + vacate + crowd + oust + "local i,o,u,y=ARGV[2],tonumber(ARGV[3]),ARGV[4],2000 if l==math.huge then return{'kind',e,m}end if W(i)then return{'released',e,r}end if l<=e then return{'idle',e,'none'}end local function h()local a,R,c=redis.call('ZRANGEBYSCORE',d,e+1,4e15,'WITHSCORES'),{},0 for i=1,#a,y do local j={}for d=i,math.min(i+y-1,#a),2 do table.insert(j,'t'..a[d]:sub(1,36))end for d,m in ipairs(redis.call('ZMSCORE',d,unpack(j)))do local e,r=tonumber(m or 0)/1024,i+2*d-2 if e==o or u=='all'and e<o then table.insert(R,a[r])else c=math.max(c,a[r+1])end end end return R,c end local s=redis.call('ZCOUNT',d,e+1,4e15)local a,R,c=r==o,{},0 if m=='semaphore'and u~='forget'then R,c=h()a=#R>0 elseif m=='rw'then local x,T=b:match('(%d+) (%d+) $')a=a or next(f)and tonumber(x)==o or s>0 and tonumber(T)==o end local A=s>0 or m~='latch'and next(f)if u~='forget'and not A then return{'idle',e,m}end if not a then return{'passed',e,r}end for e in pairs(f)do B(e,'F')end B(i,'F')if m=='semaphore'and u~='forget'then for i=1,#R,y do local f={}for d=i,math.min(i+y-1,#R)do table.insert(f,string.format('%.1f',e-0.5))table.insert(f,R[d])end redis.call('ZREM',d,unpack(R,i,math.min(i+y-1,#R)))redis.call('ZADD',d,unpack(f))end local i,h=b:match('^(%S*) %d+ %d+ %d+ (%d+)')if i==''then l=math.max(e,c,tonumber(h))end else local t=m=='fair'and u~='forget'and redis.call('ZRANGEBYSCORE',d,-4e15,-e,'WITHSCORES','LIMIT',0,1)[2]if m=='latch'then redis.call('UNLINK',d)elseif not t then j()end if m~='once'or u=='forget'then l,b=t and-t or 0,t and b or''end end r=math.max(r+1,e)Z()local t=C(m~='once'and m~='semaphore')if t then return t end return{'released',e,r}",
  replies: "released token|passed token|idle type$|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["5eac12dc6964c6208a875a84ba25e23a356bf8ee", "76f8d399816dd23ffc13f65acb401f680a6cdc08"];
