// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local y=tonumber(ARGV[8])\n" + clock + fresh + one + record + crowd + semaphore + "local b,n,aJ=ARGV[2],ARGV[3],ARGV[4]if K(n)then return{'kind',a,k}end local z=redis.call('ZMSCORE',j,'t'..b,'n'..b)local X,J=aQ(z[1])local aK=(z[2]or 0)/2^60 if not J then local d,bS,p=C or tonumber(ARGV[6]),tonumber(ARGV[5]),C J=1 if aJ=='try'and C or aJ=='give'and not d then J=2 elseif aJ=='drain'then aK=math.max((d or 0)-bN(),0)if aK>0 then C=d-aK end elseif aJ=='add'or aJ=='give'then C=math.max(math.min((d or 0)+bS,2^53-1),1-2^53)else C=bS end if C then i=math.max(i,a+ARGV[7]*1000)end if n=='counter'and C and(not p or aJ=='set')then ap=a end if n=='counter'then h=math.max(h+1,a)end if k==n or k=='none'then redis.call('ZREM',j,'t'..b,unpack(bs()))else redis.call('UNLINK',j)end local v={bm(J),'t'..b}if aK>0 then v[3],v[4]=string.format('%.0f',aK*2^60),'n'..b end redis.call('ZADD',j,unpack(v))H(n)ad()B()end if J==2 then return{'refused',a}end return{'done',a,aK}",
  replies: "done count#|refused|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["e74aa0ac5feb9eff5630366afbd81656ada183fb", "a4c17f3dc711e22a72fad661fda9dee2b5e5b19e"];
