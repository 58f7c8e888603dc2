// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local y=tonumber(ARGV[8])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\nlocal b,n,aH=ARGV[2],ARGV[3],ARGV[4]if N(n)then return{'kind',a,l}end local w=redis.call('ZMSCORE',i,'t'..b,'n'..b)local T,G=aO(w[1])local aI=(w[2]or 0)/2^60 if not G then local d,bP,q=B or tonumber(ARGV[6]),tonumber(ARGV[5]),B G=1 if aH=='try'and B or aH=='give'and not d then G=2 elseif aH=='drain'then aI=math.max((d or 0)-bK(),0)if aI>0 then B=d-aI end elseif aH=='add'or aH=='give'then B=math.max(math.min((d or 0)+bP,2^53-1),1-2^53)else B=bP end if B then j=math.max(j,a+ARGV[7]*1000)end if n=='counter'and B and(not q or aH=='set')then ao=a end if n=='counter'then h=math.max(h+1,a)end if l==n or l=='none'then redis.call('ZREM',i,'t'..b,unpack(br()))else redis.call('UNLINK',i)end local t={bl(G),'t'..b}if aI>0 then t[3],t[4]=string.format('%.0f',aI*2^60),'n'..b end redis.call('ZADD',i,unpack(t))F(n)ad()z()end if G==2 then return{'refused',a}end return{'done',a,aI}",
  sha: ["b58e5221ed4b4903be058212fbcfb4fb7b6b8185", "6a104c914ed9a13b439e9bfe4a292270113347ad"],
  replies: ["done count#", "refused", "kind kind", "late"],
  fresh: true,
};
