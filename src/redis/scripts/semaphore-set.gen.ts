// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, last_end, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local s=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + requests + last_end + semaphore + "local b,k,g=ARGV[2],ARGV[3],ARGV[4]if y(k)then return{'kind',a,h}end local w=redis.call('ZMSCORE',i,'t'..b,'n'..b)local C,o=U(w[1])local c=aw(w[2])if not o then local d,j,p=D or tonumber(ARGV[6]),tonumber(ARGV[5]),D o=1 local n=g=='give'if n and not D then o=2 elseif n and k=='counter'and ARGV[6]~=''and j>m then o=2 elseif g=='try'and D then o=2 elseif g=='drain'then c=math.max((d or 0)-ak(),0)if c>0 then D=d-c end elseif g=='add'or n then D=math.max(math.min((d or 0)+j,9007199254740991),-9007199254740991)else D=j end if h=='none'and k=='semaphore'then e=V()end if D then e=math.max(e,a+ARGV[7]*1000)end if k=='counter'and D and(not p or g=='set')then T,m=a,0 end if k=='counter'and n and o==1 then m=math.max(m-j,0)end if k=='counter'then f=math.max(f+1,a)end if h==k or h=='none'then redis.call('ZREM',i,'t'..b,unpack(ag()))else redis.call('UNLINK',i)end local l={ae(o),'t'..b}if c>0 then l[3],l[4]=ax(c),'n'..b end redis.call('ZADD',i,unpack(l))F(k)N()v()end if o==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b41c44fdcc2cfb40a1e6711de173438662464583", "c62e3ff19d7062309954565bf505c4b78505972f"];
