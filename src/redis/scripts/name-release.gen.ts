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
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + vacate + crowd + oust + "local t,o,m,h=ARGV[2],tonumber(ARGV[3]),ARGV[4],2000 if r==math.huge then return{'kind',e,d}end if q(t)then return{'released',e,l}end if r<=e then return{'idle',e,'none'}end local function p()local a,L,g=redis.call('ZRANGEBYSCORE',i,e+1,4e15,'WITHSCORES'),{},0 for t=1,#a,h do local K={}for i=t,math.min(t+h-1,#a),2 do table.insert(K,'t'..a[i]:sub(1,36))end for i,d in ipairs(redis.call('ZMSCORE',i,unpack(K)))do local e,l=tonumber(d or 0)/1024,t+2*i-2 if e==o or m=='all'and e<o then table.insert(L,a[l])else g=math.max(g,a[l+1])end end end return L,g end local s=redis.call('ZCOUNT',i,e+1,4e15)local a,L,g=l==o,{},0 if d=='semaphore'and m~='forget'then L,g=p()a=#L>0 elseif d=='rw'then local x,B=k:match('(%d+) (%d+) $')a=a or next(f)and tonumber(x)==o or s>0 and tonumber(B)==o end local c=s>0 or d~='latch'and next(f)if m~='forget'and not c then return{'idle',e,d}end if not a then return{'passed',e,l}end for e in pairs(f)do E(e,'F')end E(t,'F')if d=='semaphore'and m~='forget'then for t=1,#L,h do local f={}for i=t,math.min(t+h-1,#L)do table.insert(f,string.format('%.1f',e-0.5))table.insert(f,L[i])end redis.call('ZREM',i,unpack(L,t,math.min(t+h-1,#L)))redis.call('ZADD',i,unpack(f))end local t,u=k:match('^(%S*) %d+ %d+ %d+ (%d+)')if t==''then r=math.max(e,g,tonumber(u))end else local o=d=='fair'and m~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]if d=='latch'then redis.call('UNLINK',i)elseif not o then K()end if d~='once'or m=='forget'then r,k=o and-o or 0,o and k or''end end l=math.max(l+1,e)N()local n=S(d~='once'and d~='semaphore')if n then return n end return{'released',e,l}",
  replies: "released token|passed token|idle type$|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["06ad3d45ca409365adaae2fbcda98d7f1f89ce8b", "b94bc6808c0614741f9e6ff18b9688b732073fdb"];
