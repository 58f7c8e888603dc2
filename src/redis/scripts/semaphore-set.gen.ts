// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local w=tonumber(ARGV[8])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\nlocal b,n,aJ=ARGV[2],ARGV[3],ARGV[4]if J(n)then return{'kind',a,k}end local x=redis.call('ZMSCORE',j,'t'..b,'n'..b)local X,I=aQ(x[1])local aK=(x[2]or 0)/2^60 if not I then local d,bQ,q=B or tonumber(ARGV[6]),tonumber(ARGV[5]),B I=1 if aJ=='try'and B or aJ=='give'and not d then I=2 elseif aJ=='drain'then aK=math.max((d or 0)-bL(),0)if aK>0 then B=d-aK end elseif aJ=='add'or aJ=='give'then B=math.max(math.min((d or 0)+bQ,2^53-1),1-2^53)else B=bQ end if B then i=math.max(i,a+ARGV[7]*1000)end if n=='counter'and B and(not q or aJ=='set')then ap=a end if n=='counter'then h=math.max(h+1,a)end if k==n or k=='none'then redis.call('ZREM',j,'t'..b,unpack(bs()))else redis.call('UNLINK',j)end local t={bm(I),'t'..b}if aK>0 then t[3],t[4]=string.format('%.0f',aK*2^60),'n'..b end redis.call('ZADD',j,unpack(t))G(n)ad()z()end if I==2 then return{'refused',a}end return{'done',a,aK}",
  replies: ["done count#", "refused", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["6f042aa69338d1add9e0068f21b9334a50f0ce75", "8ef7e1eb42c8626fe9ba80eab2448a022768397c"];
