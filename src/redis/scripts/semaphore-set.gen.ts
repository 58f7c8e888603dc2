// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local b=tonumber(ARGV[8])\n" + clock + fresh + one + record + crowd + semaphore + "local t,m,n=ARGV[2],ARGV[3],ARGV[4]if z(m)then return{'kind',e,d}end local v=redis.call('ZMSCORE',i,'t'..t,'n'..t)local H,A=M(v[1])local o=(v[2]or 0)/2^60 if not A then local a,s,h=B or tonumber(ARGV[6]),tonumber(ARGV[5]),B A=1 if n=='try'and B or n=='give'and not a then A=2 elseif n=='drain'then o=math.max((a or 0)-eo(),0)if o>0 then B=a-o end elseif n=='add'or n=='give'then B=math.max(math.min((a or 0)+s,2^53-1),1-2^53)else B=s end if B then r=math.max(r,e+ARGV[7]*1000)end if m=='counter'and B and(not h or n=='set')then R=e end if m=='counter'then l=math.max(l+1,e)end if d==m or d=='none'then redis.call('ZREM',i,'t'..t,unpack(et()))else redis.call('UNLINK',i)end local f={Z(A),'t'..t}if o>0 then f[3],f[4]=string.format('%.0f',o*2^60),'n'..t end redis.call('ZADD',i,unpack(f))C(m)N()j()end if A==2 then return{'refused',e}end return{'done',e,o}",
  replies: "done count|refused|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["e0769dd872f7e81554b775f8170014c57e94eabf", "5ad6ba5731a56629cc7dec9c71ad33e30a3b546f"];
