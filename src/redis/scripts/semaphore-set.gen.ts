// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local w=tonumber(ARGV[8])\n" + clock + fresh + one + record + crowd + semaphore + "local b,n,aK=ARGV[2],ARGV[3],ARGV[4]if N(n)then return{'kind',a,k}end local x=redis.call('ZMSCORE',j,'t'..b,'n'..b)local Y,L=aR(x[1])local aL=(x[2]or 0)/2^60 if not L then local d,bY,p=F or tonumber(ARGV[6]),tonumber(ARGV[5]),F L=1 if aK=='try'and F or aK=='give'and not d then L=2 elseif aK=='drain'then aL=math.max((d or 0)-bS(),0)if aL>0 then F=d-aL end elseif aK=='add'or aK=='give'then F=math.max(math.min((d or 0)+bY,2^53-1),1-2^53)else F=bY end if F then i=math.max(i,a+ARGV[7]*1000)end if n=='counter'and F and(not p or aK=='set')then as=a end if n=='counter'then h=math.max(h+1,a)end if k==n or k=='none'then redis.call('ZREM',j,'t'..b,unpack(bz()))else redis.call('UNLINK',j)end local B={bp(L),'t'..b}if aL>0 then B[3],B[4]=string.format('%.0f',aL*2^60),'n'..b end redis.call('ZADD',j,unpack(B))K(n)af()D()end if L==2 then return{'refused',a}end return{'done',a,aL}",
  replies: "done count#|refused|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["7c77262101b6b72b374b3634efa026ce744cd72a", "fc65952a4094a1f308e68cf6c055ee434e948503"];
