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
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + vacate + crowd + oust + "local t,o,a,s=ARGV[2],tonumber(ARGV[3]),ARGV[4],2000 if r==math.huge then return{'kind',e,d}end if q(t)then return{'released',e,l}end if r<=e then return{'idle',e,'none'}end local function h()local l,M,k=redis.call('ZRANGEBYSCORE',i,e+1,4e15,'WITHSCORES'),{},0 for n=1,#l,s do local Q={}for i=n,math.min(n+s-1,#l),2 do table.insert(Q,'t'..l[i]:sub(1,36))end for i,t in ipairs(redis.call('ZMSCORE',i,unpack(Q)))do local e,s=tonumber(t or 0)/1024,n+2*i-2 if e==o or a=='all'and e<o then table.insert(M,l[s])else k=math.max(k,l[s+1])end end end return M,k end local c=redis.call('ZCOUNT',i,e+1,4e15)local m,M,k=l==o,{},0 if d=='semaphore'and a~='forget'then M,k=h()m=#M>0 elseif d=='rw'then local x,E=y:match('(%d+) (%d+) $')m=m or next(f)and tonumber(x)==o or c>0 and tonumber(E)==o end local g=c>0 or d~='latch'and next(f)if a~='forget'and not g then return{'idle',e,d}end if not m then return{'passed',e,l}end for e in pairs(f)do F(e,'F')end F(t,'F')if d=='semaphore'and a~='forget'then for n=1,#M,s do local f={}for i=n,math.min(n+s-1,#M)do table.insert(f,string.format('%.1f',e-0.5))table.insert(f,M[i])end redis.call('ZREM',i,unpack(M,n,math.min(n+s-1,#M)))redis.call('ZADD',i,unpack(f))end local t,D=y:match('^(%S*) %d+ %d+ %d+ (%d+)')if t==''then r=math.max(e,k,tonumber(D))end else local n=d=='fair'and a~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]if d=='latch'then redis.call('UNLINK',i)elseif not n then O()end if d~='once'or a=='forget'then r,y=n and-n or 0,n and y or''end end l=math.max(l+1,e)K()local n=T(d~='once'and d~='semaphore')if n then return n end return{'released',e,l}",
  replies: "released token#|passed token#|idle type|kind kind|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["4df958abf4ebd6bcb03ec1f2c82b7ee42868f4df", "76da7ae7086d17694dca9ea7548905b70b1029ff"];
