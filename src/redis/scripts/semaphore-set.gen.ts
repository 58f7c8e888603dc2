// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local q=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + requests + semaphore + "local b,k,d=ARGV[2],ARGV[3],ARGV[4]if z(k)then return{'kind',a,h}end local u=redis.call('ZMSCORE',i,'t'..b,'n'..b)local E,x=S(u[1])local c=au(u[2])if not x then local f,j,o=B or tonumber(ARGV[6]),tonumber(ARGV[5]),B x=1 local m=d=='give'if m and not B then x=2 elseif m and k=='counter'and ARGV[6]~=''and j>n then x=2 elseif d=='try'and B then x=2 elseif d=='drain'then c=math.max((f or 0)-ai(),0)if c>0 then B=f-c end elseif d=='add'or m then B=math.max(math.min((f or 0)+j,9007199254740991),-9007199254740991)else B=j end if B then g=math.max(g,a+ARGV[7]*1000)end if k=='counter'and B and(not o or d=='set')then R,n=a,0 end if k=='counter'and m and x==1 then n=math.max(n-j,0)end if k=='counter'then e=math.max(e+1,a)end if h==k or h=='none'then redis.call('ZREM',i,'t'..b,unpack(ac()))else redis.call('UNLINK',i)end local l={ab(x),'t'..b}if c>0 then l[3],l[4]=av(c),'n'..b end redis.call('ZADD',i,unpack(l))D(k)N()w()end if x==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3e052e88cb0e13f5c8b7b2d70a0ed5788bca1455", "d477eacfe630f3fe52367a7249e911b9d58c5338"];
