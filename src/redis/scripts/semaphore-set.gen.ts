// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, failed, fresh, keep, last_end, read_name, record, requests, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local s=tonumber(ARGV[8])\n" + clock + fresh + read_name + record + crowd + keep + failed + requests + last_end + semaphore + "local b,m,g=ARGV[2],ARGV[3],ARGV[4]if B(m)then return{'kind',a,i}end local w=redis.call('ZMSCORE',d,'t'..b,'n'..b)local H,p=X(w[1])local c=ao(w[2])if not p then local e,k,r=E or tonumber(ARGV[6]),tonumber(ARGV[5]),E p=1 local l=g=='give'if l and not E then p=2 elseif l and m=='counter'and ARGV[6]~=''and k>o then p=2 elseif g=='try'and E then p=2 elseif g=='drain'then c=math.max((e or 0)-am(),0)if c>0 then E=e-c end elseif g=='add'or l then E=math.max(math.min((e or 0)+k,9007199254740991),-9007199254740991)else E=k end if i=='none'and m=='semaphore'then f=af()end if E then f=math.max(f,a+ARGV[7]*1000)end if m=='counter'and E and(not r or g=='set')then U,o=a,0 end if m=='counter'and l and p==1 then o=math.max(o-k,0)end if m=='counter'then h=math.max(h+1,a)end if i==m or i=='none'then redis.call('ZREM',d,'t'..b,unpack(ah()))else redis.call('UNLINK',d)end local q={ag(p),'t'..b}if c>0 then q[3],q[4]=ap(c),'n'..b end redis.call('ZADD',d,unpack(q))I(m)local j=C(P(redis.pcall))or C(y(redis.pcall))if j then redis.call('ZREM',d,'t'..b,'n'..b)return j end end if p==2 then return{'refused',a}end return{'done',a,c}",
  replies: {
    done: { count: "integer" },
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c38b785d7bc0f4c3396cb700e591414ea4e213be", "10c7476dcb19924b1c045e7c0d77867d2c4c4e77"];
