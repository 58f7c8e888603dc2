// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, last_end, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local t=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + keep + failed + requests + last_end + semaphore + "local b,m,f=ARGV[2],ARGV[3],ARGV[4]if B(m)then return{'kind',a,j}end local y=redis.call('ZMSCORE',d,'t'..b,'n'..b)local I,q=Y(y[1])local c=ao(y[2])if not q then local e,k,p=G or tonumber(ARGV[6]),tonumber(ARGV[5]),G q=1 local l=f=='give'if l and not G then q=2 elseif l and m=='counter'and ARGV[6]~=''and k>o then q=2 elseif f=='try'and G then q=2 elseif f=='drain'then c=math.max((e or 0)-am(),0)if c>0 then G=e-c end elseif f=='add'or l then G=math.max(math.min((e or 0)+k,9007199254740991),-9007199254740991)else G=k end if j=='none'and m=='semaphore'then g=af()end if G then g=math.max(g,a+ARGV[7]*1000)end if m=='counter'and G and(not p or f=='set')then X,o=a,0 end if m=='counter'and l and q==1 then o=math.max(o-k,0)end if m=='counter'then h=math.max(h+1,a)end if j==m or j=='none'then redis.call('ZREM',d,'t'..b,unpack(ah()))else redis.call('UNLINK',d)end local s={ag(q),'t'..b}if c>0 then s[3],s[4]=ap(c),'n'..b end redis.call('ZADD',d,unpack(s))C(m)local i=E(T(redis.pcall))or E(x(redis.pcall))if i then redis.call('ZREM',d,'t'..b,'n'..b)return i end end if q==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ded979ca00a6f66fd5ed7d26c3f1e987c37c87c9", "c11886aba10d29a8ef4fc11b652dae9c72cfa344"];
