// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local w=tonumber(ARGV[8])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\nlocal b,n,aI=ARGV[2],ARGV[3],ARGV[4]if J(n)then return{'kind',a,k}end local x=redis.call('ZMSCORE',j,'t'..b,'n'..b)local X,I=aP(x[1])local aJ=(x[2]or 0)/2^60 if not I then local d,bQ,q=B or tonumber(ARGV[6]),tonumber(ARGV[5]),B I=1 if aI=='try'and B or aI=='give'and not d then I=2 elseif aI=='drain'then aJ=math.max((d or 0)-bL(),0)if aJ>0 then B=d-aJ end elseif aI=='add'or aI=='give'then B=math.max(math.min((d or 0)+bQ,2^53-1),1-2^53)else B=bQ end if B then i=math.max(i,a+ARGV[7]*1000)end if n=='counter'and B and(not q or aI=='set')then ao=a end if n=='counter'then h=math.max(h+1,a)end if k==n or k=='none'then redis.call('ZREM',j,'t'..b,unpack(br()))else redis.call('UNLINK',j)end local t={bl(I),'t'..b}if aJ>0 then t[3],t[4]=string.format('%.0f',aJ*2^60),'n'..b end redis.call('ZADD',j,unpack(t))G(n)ad()z()end if I==2 then return{'refused',a}end return{'done',a,aJ}",
  replies: ["done count#", "refused", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["a52a0409e5a91b00994bf5c2ebbfea6f3427994a", "eab4ce5a1d97577372e16d0569766ce1282b1991"];
