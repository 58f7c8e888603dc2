// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, last_end, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local t=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + requests + last_end + semaphore + "local b,m,h=ARGV[2],ARGV[3],ARGV[4]if B(m)then return{'kind',a,i}end local y=redis.call('ZMSCORE',d,'t'..b,'n'..b)local E,o=V(y[1])local c=av(y[2])if not o then local e,k,p=D or tonumber(ARGV[6]),tonumber(ARGV[5]),D o=1 local l=h=='give'if l and not D then o=2 elseif l and m=='counter'and ARGV[6]~=''and k>j then o=2 elseif h=='try'and D then o=2 elseif h=='drain'then c=math.max((e or 0)-al(),0)if c>0 then D=e-c end elseif h=='add'or l then D=math.max(math.min((e or 0)+k,9007199254740991),-9007199254740991)else D=k end if i=='none'and m=='semaphore'then f=aa()end if D then f=math.max(f,a+ARGV[7]*1000)end if m=='counter'and D and(not p or h=='set')then S,j=a,0 end if m=='counter'and l and o==1 then j=math.max(j-k,0)end if m=='counter'then g=math.max(g+1,a)end if i==m or i=='none'then redis.call('ZREM',d,'t'..b,unpack(ag()))else redis.call('UNLINK',d)end local q={af(o),'t'..b}if c>0 then q[3],q[4]=aw(c),'n'..b end redis.call('ZADD',d,unpack(q))G(m)local u=C(O(redis.pcall))or C(x(redis.pcall))if u then redis.call('ZREM',d,'t'..b,'n'..b)return u end end if o==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["d90bc3a2483cb66bc2925341b7ba7fcc18a678e8", "8929ee86927b5ae9a30461605d0c7e7cb7578471"];
