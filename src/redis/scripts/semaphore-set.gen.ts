// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local k=tonumber(ARGV[8])\n" + clock + fresh + one + record + crowd + semaphore + "local t,c,n=ARGV[2],ARGV[3],ARGV[4]if B(c)then return{'kind',e,d}end local w=redis.call('ZMSCORE',i,'t'..t,'n'..t)local G,C=U(w[1])local l=(w[2]or 0)/2^60 if not C then local a,s,h=q or tonumber(ARGV[6]),tonumber(ARGV[5]),q C=1 if n=='try'and q or n=='give'and not a then C=2 elseif n=='drain'then l=math.max((a or 0)-ea(),0)if l>0 then q=a-l end elseif n=='add'or n=='give'then q=math.max(math.min((a or 0)+s,2^53-1),1-2^53)else q=s end if q then r=math.max(r,e+ARGV[7]*1000)end if c=='counter'and q and(not h or n=='set')then Q=e end if c=='counter'then o=math.max(o+1,e)end if d==c or d=='none'then redis.call('ZREM',i,'t'..t,unpack(et()))else redis.call('UNLINK',i)end local f={ee(C),'t'..t}if l>0 then f[3],f[4]=string.format('%.0f',l*2^60),'n'..t end redis.call('ZADD',i,unpack(f))z(c)K()v()end if C==2 then return{'refused',e}end return{'done',e,l}",
  replies: "done count#|refused|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["d700cadf4116875b736f632ce716a0b9cf2458ee", "04bdc3ee22034c7830dbb3243f6009f55b2b8882"];
