// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local r=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + requests + semaphore + "local b,l,e=ARGV[2],ARGV[3],ARGV[4]if B(l)then return{'kind',a,h}end local w=redis.call('ZMSCORE',i,'t'..b,'n'..b)local F,q=T(w[1])local c=as(w[2])if not q then local d,j,o=C or tonumber(ARGV[6]),tonumber(ARGV[5]),C q=1 local k=e=='give'if k and not C then q=2 elseif k and l=='counter'and ARGV[6]~=''and j>n then q=2 elseif e=='try'and C then q=2 elseif e=='drain'then c=math.max((d or 0)-ai(),0)if c>0 then C=d-c end elseif e=='add'or k then C=math.max(math.min((d or 0)+j,9007199254740991),-9007199254740991)else C=j end if C then g=math.max(g,a+ARGV[7]*1000)end if l=='counter'and C and(not o or e=='set')then S,n=a,0 end if l=='counter'and k and q==1 then n=math.max(n-j,0)end if l=='counter'then f=math.max(f+1,a)end if h==l or h=='none'then redis.call('ZREM',i,'t'..b,unpack(ad()))else redis.call('UNLINK',i)end local m={ab(q),'t'..b}if c>0 then m[3],m[4]=at(c),'n'..b end redis.call('ZADD',i,unpack(m))E(l)O()y()end if q==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["30c346ed69ad98f6285a9635c8ad05194e3eeb51", "ffecaac52bcd0241bc669588c0ea8939b9b6c15f"];
