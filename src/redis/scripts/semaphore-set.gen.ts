// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\nlocal b,o,aG=ARGV[2],ARGV[3],ARGV[4]if F(o)then return{'kind',a,m}end local u=redis.call('ZMSCORE',k,'t'..b,'n'..b)local P,H=aE(u[1])local az=(u[2]or 0)/2^60 if not H then local e,bx=B or tonumber(ARGV[6]),tonumber(ARGV[5])H=1 if aG=='try'and B or aG=='give'and not e then H=2 elseif aG=='drain'then az=math.max((e or 0)-bt(),0)if az>0 then B=e-az end elseif aG=='add'or aG=='give'then B=math.max(math.min((e or 0)+bx,2^53-1),1-2^53)else B=bx end if B then i=math.max(i,a+ARGV[7]*1000)end if o=='counter'then g=math.max(g+1,a)end if m==o or m=='none'then redis.call('ZREM',k,'t'..b,unpack(be()))else redis.call('UNLINK',k)end local O={bm(H,ARGV[8]),'t'..b}if az>0 then O[3],O[4]=string.format('%.0f',az*2^60),'n'..b end redis.call('ZADD',k,unpack(O))y(o)S(ARGV[8])w(ARGV[8])end if H==2 then return{'refused',a}end return{'done',a,az}",
  sha: ["433fe6cb27037ad882b7f6a5b2640c0e250bdf42", "58299e5a8d94ec6d526242af2bebebefa364aea5"],
  replies: ["done count#", "refused", "kind kind", "late"],
  fresh: true,
};
