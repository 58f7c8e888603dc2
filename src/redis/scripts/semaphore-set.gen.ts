// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\nlocal b,n,aE=ARGV[2],ARGV[3],ARGV[4]if G(n)then return{'kind',a,m}end local t=redis.call('ZMSCORE',j,'t'..b,'n'..b)local N,I=aN(t[1])local aG=(t[2]or 0)/2^60 if not I then local g,bD,q=x or tonumber(ARGV[6]),tonumber(ARGV[5]),x I=1 if aE=='try'and x or aE=='give'and not g then I=2 elseif aE=='drain'then aG=math.max((g or 0)-by(),0)if aG>0 then x=g-aG end elseif aE=='add'or aE=='give'then x=math.max(math.min((g or 0)+bD,2^53-1),1-2^53)else x=bD end if x then i=math.max(i,a+ARGV[7]*1000)end if n=='counter'and x and(not q or aE=='set')then aj=a end if n=='counter'then h=math.max(h+1,a)end if m==n or m=='none'then redis.call('ZREM',j,'t'..b,unpack(bl()))else redis.call('UNLINK',j)end local O={bd(I,ARGV[8]),'t'..b}if aG>0 then O[3],O[4]=string.format('%.0f',aG*2^60),'n'..b end redis.call('ZADD',j,unpack(O))A(n)T(ARGV[8])y(ARGV[8])end if I==2 then return{'refused',a}end return{'done',a,aG}",
  sha: ["28df9c631b9196952a2d31abc150dc3e9b8e605e", "9d0460de9494c22ad31174c3e74ada0e460b5ebd"],
  replies: ["done count#", "refused", "kind kind", "late"],
  fresh: true,
};
