// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, last_end, listen, read_name, record, requests, semaphore, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local v=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + keep + failed + requests + last_end + semaphore + listen + wake + wake_head + "local b,m,f=ARGV[2],ARGV[3],ARGV[4]if D(m)then return{'kind',a,i}end local z=redis.call('ZMSCORE',e,'t'..b,'n'..b)local K,r=ac(z[1])local c=ax(z[2])if not r then local d,k,q=H or tonumber(ARGV[6]),tonumber(ARGV[5]),H r=1 local l=f=='give'if l and not H then r=2 elseif l and m=='counter'and ARGV[6]~=''and k>o then r=2 elseif f=='try'and H then r=2 elseif f=='drain'then c=math.max((d or 0)-av(),0)if c>0 then H=d-c end elseif f=='add'or l then H=math.max(math.min((d or 0)+k,9007199254740991),-9007199254740991)else H=k end if i=='none'and m=='semaphore'then g=ak()end if H then g=math.max(g,a+ARGV[7]*1000)end if m=='counter'and H and(not q or f=='set')then ab,o=a,0 end if m=='counter'and l and r==1 then o=math.max(o-k,0)end if m=='counter'then h=math.max(h+1,a)end if i==m or i=='none'then redis.call('ZREM',e,'t'..b,unpack(ao()))else redis.call('UNLINK',e)end local u={al(r),'t'..b}if c>0 then u[3],u[4]=ay(c),'n'..b end redis.call('ZADD',e,unpack(u))if m=='semaphore'and o>a then an(0)else Z(H or 0)end F(m)local j=A(V(redis.pcall))or A(s(redis.pcall))if j then redis.call('ZREM',e,'t'..b,'n'..b)return j end end if r==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["dd3734391506852e0d4cb100d385bab36a460ff8", "95f6dca9cd2d6e63805d30c1531f947b8a4ee658"];
