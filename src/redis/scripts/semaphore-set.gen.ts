// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local r=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + requests + semaphore + "local b,k,e=ARGV[2],ARGV[3],ARGV[4]if z(k)then return{'kind',a,h}end local v=redis.call('ZMSCORE',i,'t'..b,'n'..b)local C,o=T(v[1])local c=av(v[2])if not o then local d,j,p=D or tonumber(ARGV[6]),tonumber(ARGV[5]),D o=1 local n=e=='give'if n and not D then o=2 elseif n and k=='counter'and ARGV[6]~=''and j>l then o=2 elseif e=='try'and D then o=2 elseif e=='drain'then c=math.max((d or 0)-aj(),0)if c>0 then D=d-c end elseif e=='add'or n then D=math.max(math.min((d or 0)+j,9007199254740991),-9007199254740991)else D=j end if D then g=math.max(g,a+ARGV[7]*1000)end if k=='counter'and D and(not p or e=='set')then S,l=a,0 end if k=='counter'and n and o==1 then l=math.max(l-j,0)end if k=='counter'then f=math.max(f+1,a)end if h==k or h=='none'then redis.call('ZREM',i,'t'..b,unpack(af()))else redis.call('UNLINK',i)end local m={ad(o),'t'..b}if c>0 then m[3],m[4]=aw(c),'n'..b end redis.call('ZADD',i,unpack(m))E(k)N()x()end if o==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["eb80a8999ee6b6795d91578d249ea2f148db55ab", "92c6a7f3f60fb629bd5e522d6d1c350cb4172540"];
