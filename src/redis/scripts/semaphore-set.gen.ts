// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\nlocal b,n,aF=ARGV[2],ARGV[3],ARGV[4]if G(n)then return{'kind',a,m}end local t=redis.call('ZMSCORE',j,'t'..b,'n'..b)local R,I=aN(t[1])local aH=(t[2]or 0)/2^60 if not I then local c,bG,q=x or tonumber(ARGV[6]),tonumber(ARGV[5]),x I=1 if aF=='try'and x or aF=='give'and not c then I=2 elseif aF=='drain'then aH=math.max((c or 0)-bB(),0)if aH>0 then x=c-aH end elseif aF=='add'or aF=='give'then x=math.max(math.min((c or 0)+bG,2^53-1),1-2^53)else x=bG end if x then i=math.max(i,a+ARGV[7]*1000)end if n=='counter'and x and(not q or aF=='set')then aj=a end if n=='counter'then h=math.max(h+1,a)end if m==n or m=='none'then redis.call('ZREM',j,'t'..b,unpack(bm()))else redis.call('UNLINK',j)end local N={be(I,ARGV[8]),'t'..b}if aH>0 then N[3],N[4]=string.format('%.0f',aH*2^60),'n'..b end redis.call('ZADD',j,unpack(N))A(n)V(ARGV[8])y(ARGV[8])end if I==2 then return{'refused',a}end return{'done',a,aH}",
  sha: ["c8c029e07347103eb886525ab11a3bd84b802ba0", "4427503d75fca7d8a14ce3d20f839b330e018076"],
  replies: ["done count#", "refused", "kind kind", "late"],
  fresh: true,
};
