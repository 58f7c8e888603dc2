// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\n" + semaphore + "\nlocal b,n,aA=ARGV[2],ARGV[3],ARGV[4]if F(n)then return{'kind',a,m}end local t=redis.call('ZMSCORE',j,'t'..b,'n'..b)local P,H=aH(t[1])local aC=(t[2]or 0)/2^60 if not H then local e,bx,q=w or tonumber(ARGV[6]),tonumber(ARGV[5]),w H=1 if aA=='try'and w or aA=='give'and not e then H=2 elseif aA=='drain'then aC=math.max((e or 0)-bu(),0)if aC>0 then w=e-aC end elseif aA=='add'or aA=='give'then w=math.max(math.min((e or 0)+bx,2^53-1),1-2^53)else w=bx end if w then i=math.max(i,a+ARGV[7]*1000)end if n=='counter'and w and(not q or aA=='set')then af=a end if n=='counter'then g=math.max(g+1,a)end if m==n or m=='none'then redis.call('ZREM',j,'t'..b,unpack(bg()))else redis.call('UNLINK',j)end local M={aX(H,ARGV[8]),'t'..b}if aC>0 then M[3],M[4]=string.format('%.0f',aC*2^60),'n'..b end redis.call('ZADD',j,unpack(M))z(n)S(ARGV[8])x(ARGV[8])end if H==2 then return{'refused',a}end return{'done',a,aC}",
  sha: ["9a9b8410f7d6f16afecaa0d0e32650a2e4386893", "5e1919d591e0055f0eb5236b9e2bc25584f6d030"],
  replies: ["done count#", "refused", "kind kind", "late"],
  fresh: true,
};
