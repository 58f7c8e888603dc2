// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local t=tonumber(ARGV[8])\n" + clock + fresh + one + record + crowd + semaphore + "local b,m,e=ARGV[2],ARGV[3],ARGV[4]if A(m)then return{'kind',a,h}end local v=redis.call('ZMSCORE',i,'t'..b,'n'..b)local H,r=N(v[1])local c=(v[2]or 0)/2^60 if not r then local d,j,o=B or tonumber(ARGV[6]),tonumber(ARGV[5]),B r=1 local k=e=='give'if k and not B then r=2 elseif k and m=='counter'and ARGV[6]~=''and j>n then r=2 elseif e=='try'and B then r=2 elseif e=='drain'then c=math.max((d or 0)-ae(),0)if c>0 then B=d-c end elseif e=='add'or k then B=math.max(math.min((d or 0)+j,2^53-1),1-2^53)else B=j end if B then g=math.max(g,a+ARGV[7]*1000)end if m=='counter'and B and(not o or e=='set')then R,n=a,0 end if m=='counter'and k and r==1 then n=math.max(n-j,0)end if m=='counter'then f=math.max(f+1,a)end if h==m or h=='none'then redis.call('ZREM',i,'t'..b,unpack(ab()))else redis.call('UNLINK',i)end local l={Z(r),'t'..b}if c>0 then l[3],l[4]=string.format('%.0f',c*2^60),'n'..b end redis.call('ZADD',i,unpack(l))D(m)O()x()end if r==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["dafa61f1003472f4e2ab34b1b333476ae1b887c9", "0bd62eaa2a4d57d3faa2cb838b4554599e4d159a"];
