// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local q=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + requests + semaphore + "local b,k,e=ARGV[2],ARGV[3],ARGV[4]if z(k)then return{'kind',a,h}end local v=redis.call('ZMSCORE',i,'t'..b,'n'..b)local E,t=T(v[1])local c=au(v[2])if not t then local d,j,o=B or tonumber(ARGV[6]),tonumber(ARGV[5]),B t=1 local m=e=='give'if m and not B then t=2 elseif m and k=='counter'and ARGV[6]~=''and j>n then t=2 elseif e=='try'and B then t=2 elseif e=='drain'then c=math.max((d or 0)-ai(),0)if c>0 then B=d-c end elseif e=='add'or m then B=math.max(math.min((d or 0)+j,9007199254740991),-9007199254740991)else B=j end if B then g=math.max(g,a+ARGV[7]*1000)end if k=='counter'and B and(not o or e=='set')then S,n=a,0 end if k=='counter'and m and t==1 then n=math.max(n-j,0)end if k=='counter'then f=math.max(f+1,a)end if h==k or h=='none'then redis.call('ZREM',i,'t'..b,unpack(ae()))else redis.call('UNLINK',i)end local l={ac(t),'t'..b}if c>0 then l[3],l[4]=av(c),'n'..b end redis.call('ZADD',i,unpack(l))D(k)O()x()end if t==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b0ef71d369fa8f16c33040085be098d2217b8d15", "59882faa5cc2f3a92d547d132d9dbfe8d95714da"];
