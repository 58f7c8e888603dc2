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
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + vacate + crowd + oust + "local t,o,c,m=ARGV[2],tonumber(ARGV[3]),ARGV[4],2000 if r==math.huge then return{'kind',e,d}end if j(t)then return{'released',e,l}end if r<=e then return{'idle',e,'none'}end local function h()local a,L,k=redis.call('ZRANGEBYSCORE',i,e+1,4e15,'WITHSCORES'),{},0 for t=1,#a,m do local P={}for i=t,math.min(t+m-1,#a),2 do table.insert(P,'t'..a[i]:sub(1,36))end for i,d in ipairs(redis.call('ZMSCORE',i,unpack(P)))do local e,s=tonumber(d or 0)/1024,t+2*i-2 if e==o or c=='all'and e<o then table.insert(L,a[s])else k=math.max(k,a[s+1])end end end return L,k end local s=redis.call('ZCOUNT',i,e+1,4e15)local a,L,k=l==o,{},0 if d=='semaphore'and c~='forget'then L,k=h()a=#L>0 elseif d=='rw'then local x,E=y:match('(%d+) (%d+) $')a=a or next(f)and tonumber(x)==o or s>0 and tonumber(E)==o end local g=s>0 or d~='latch'and next(f)if c~='forget'and not g then return{'idle',e,d}end if not a then return{'passed',e,l}end for e in pairs(f)do F(e,'F')end F(t,'F')if d=='semaphore'and c~='forget'then for t=1,#L,m do local f={}for i=t,math.min(t+m-1,#L)do table.insert(f,string.format('%.1f',e-0.5))table.insert(f,L[i])end redis.call('ZREM',i,unpack(L,t,math.min(t+m-1,#L)))redis.call('ZADD',i,unpack(f))end local t,D=y:match('^(%S*) %d+ %d+ %d+ (%d+)')if t==''then r=math.max(e,k,tonumber(D))end else local n=d=='fair'and c~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-e,'LIMIT',0,1,'WITHSCORES')[2]if d=='latch'then redis.call('UNLINK',i)elseif not n then R()end if d~='once'or c=='forget'then r,y=n and-n or 0,n and y or''end end l=math.max(l+1,e)J()local n=S(d~='once'and d~='semaphore')if n then return n end return{'released',e,l}",
  replies: "released token|passed token|idle type$|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6495167838ef1db1208ef7b6a1a23a0ddb713e42", "72c2dfb6735d24448931bec8ced3f5f25c9931e2"];
