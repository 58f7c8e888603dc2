// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, last_end, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local t=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + requests + last_end + semaphore + "local b,l,g=ARGV[2],ARGV[3],ARGV[4]if A(l)then return{'kind',a,h}end local y=redis.call('ZMSCORE',i,'t'..b,'n'..b)local E,o=V(y[1])local c=av(y[2])if not o then local d,j,p=D or tonumber(ARGV[6]),tonumber(ARGV[5]),D o=1 local k=g=='give'if k and not D then o=2 elseif k and l=='counter'and ARGV[6]~=''and j>n then o=2 elseif g=='try'and D then o=2 elseif g=='drain'then c=math.max((d or 0)-al(),0)if c>0 then D=d-c end elseif g=='add'or k then D=math.max(math.min((d or 0)+j,9007199254740991),-9007199254740991)else D=j end if h=='none'and l=='semaphore'then e=aa()end if D then e=math.max(e,a+ARGV[7]*1000)end if l=='counter'and D and(not p or g=='set')then S,n=a,0 end if l=='counter'and k and o==1 then n=math.max(n-j,0)end if l=='counter'then f=math.max(f+1,a)end if h==l or h=='none'then redis.call('ZREM',i,'t'..b,unpack(ag()))else redis.call('UNLINK',i)end local q={af(o),'t'..b}if c>0 then q[3],q[4]=aw(c),'n'..b end redis.call('ZADD',i,unpack(q))G(l)local u=C(O(redis.pcall))or C(x(redis.pcall))if u then redis.call('ZREM',i,'t'..b,'n'..b)return u end end if o==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["7fb350a424c3e2ad9098f696e086828ff0b07b88", "72b84c917ddc8230bb6c9307429597eff8114f4e"];
