// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, last_end, listen, read_name, record, requests, semaphore, wake, wake_head } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local w=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + keep + failed + requests + last_end + semaphore + listen + wake + wake_head + "local b,m,f=ARGV[2],ARGV[3],ARGV[4]if E(m)then return{'kind',a,j}end local z=redis.call('ZMSCORE',d,'t'..b,'n'..b)local C,r=ad(z[1])local c=az(z[2])if not r then local e,k,t=J or tonumber(ARGV[6]),tonumber(ARGV[5]),J r=1 local l=f=='give'if l and not J then r=2 elseif l and m=='counter'and ARGV[6]~=''and k>p then r=2 elseif f=='try'and J then r=2 elseif f=='drain'then c=math.max((e or 0)-aw(),0)if c>0 then J=e-c end elseif f=='add'or l then J=math.max(math.min((e or 0)+k,9007199254740991),-9007199254740991)else J=k end if j=='none'and m=='semaphore'then h=al()end if J then h=math.max(h,a+ARGV[7]*1000)end if m=='counter'and J and(not t or f=='set')then W,p=a,0 end if m=='counter'and l and r==1 then p=math.max(p-k,0)end if m=='counter'then g=math.max(g+1,a)end if j==m or j=='none'then redis.call('ZREM',d,'t'..b,unpack(aq()))else redis.call('UNLINK',d)end local q={am(r),'t'..b}if c>0 then q[3],q[4]=aA(c),'n'..b end redis.call('ZADD',d,unpack(q))if m=='semaphore'and p>a then ai(0)else ac(J or 0)end H(m)local i=B(V(redis.pcall))or B(s(redis.pcall))if i then redis.call('ZREM',d,'t'..b,'n'..b)return i end end if r==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9aa97135580bcf458cb67c626a733a1b6e197c3d", "f579d870d8001346103c816e1ca168c54c77d524"];
