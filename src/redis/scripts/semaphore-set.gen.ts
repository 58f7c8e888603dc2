// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local b=tonumber(ARGV[8])\n" + clock + fresh + one + record + crowd + semaphore + "local t,f,n=ARGV[2],ARGV[3],ARGV[4]if C(f)then return{'kind',e,d}end local g=redis.call('ZMSCORE',i,'t'..t,'n'..t)local G,B=T(g[1])local o=(g[2]or 0)/2^60 if not B then local a,s,h=j or tonumber(ARGV[6]),tonumber(ARGV[5]),j B=1 if n=='try'and j or n=='give'and not a then B=2 elseif n=='drain'then o=math.max((a or 0)-ea(),0)if o>0 then j=a-o end elseif n=='add'or n=='give'then j=math.max(math.min((a or 0)+s,2^53-1),1-2^53)else j=s end if j then r=math.max(r,e+ARGV[7]*1000)end if f=='counter'and j and(not h or n=='set')then O=e end if f=='counter'then l=math.max(l+1,e)end if d==f or d=='none'then redis.call('ZREM',i,'t'..t,unpack(ee()))else redis.call('UNLINK',i)end local m={Z(B),'t'..t}if o>0 then m[3],m[4]=string.format('%.0f',o*2^60),'n'..t end redis.call('ZADD',i,unpack(m))A(f)K()v()end if B==2 then return{'refused',e}end return{'done',e,o}",
  replies: "done count#|refused|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["88fa0148711a0a2dc5b388db3677034ca31b3730", "0494977ded2b4abc6f0401633bface54f88ac394"];
