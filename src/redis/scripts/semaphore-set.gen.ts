// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local v=tonumber(ARGV[8])\n" + clock + fresh + one + record + crowd + semaphore + "local b,n,aK=ARGV[2],ARGV[3],ARGV[4]if L(n)then return{'kind',a,k}end local w=redis.call('ZMSCORE',j,'t'..b,'n'..b)local X,J=aS(w[1])local aL=(w[2]or 0)/2^60 if not J then local d,bW,p=D or tonumber(ARGV[6]),tonumber(ARGV[5]),D J=1 if aK=='try'and D or aK=='give'and not d then J=2 elseif aK=='drain'then aL=math.max((d or 0)-bQ(),0)if aL>0 then D=d-aL end elseif aK=='add'or aK=='give'then D=math.max(math.min((d or 0)+bW,2^53-1),1-2^53)else D=bW end if D then i=math.max(i,a+ARGV[7]*1000)end if n=='counter'and D and(not p or aK=='set')then ar=a end if n=='counter'then h=math.max(h+1,a)end if k==n or k=='none'then redis.call('ZREM',j,'t'..b,unpack(bx()))else redis.call('UNLINK',j)end local A={bo(J),'t'..b}if aL>0 then A[3],A[4]=string.format('%.0f',aL*2^60),'n'..b end redis.call('ZADD',j,unpack(A))H(n)ae()C()end if J==2 then return{'refused',a}end return{'done',a,aL}",
  replies: "done count#|refused|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["582c7231dc13562f60ef3312e5115c975f515daa", "882bef7d79dced5bc4e2d17a1b4e30444331620c"];
