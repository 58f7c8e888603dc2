// Generated from lua/name-release.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameReleaseReply =
  | { readonly status: "released"; readonly now: number; readonly token: number }
  | { readonly status: "passed"; readonly now: number; readonly token: number }
  | { readonly status: "idle"; readonly now: number; readonly type: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const nameRelease: Script<readonly [id: string | number, token: string | number, scope: string | number, retention: string | number], NameReleaseReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + one + record + vacate + crowd + oust + "local b,e,n,o=ARGV[2],tonumber(ARGV[3]),ARGV[4],2000 if g==math.huge then return{'kind',a,h}end if y(b)then return{'released',a,f}end if g<=a then return{'idle',a,'none'}end local function p()local d,M,s=redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES'),{},0 for b=1,#d,o do local K={}for i=b,math.min(b+o-1,#d),2 do table.insert(K,'t'..d[i]:sub(1,36))end for i,h in ipairs(redis.call('ZMSCORE',i,unpack(K)))do local a,f=tonumber(h or 0)/1024,b+2*i-2 if a==e or n=='all'and a<e then table.insert(M,d[f])else s=math.max(s,d[f+1])end end end return M,s end local m=redis.call('ZCOUNT',i,a+1,4e15)local j,M,s=f==e,{},0 if h=='semaphore'and n~='forget'then M,s=p()j=#M>0 elseif h=='rw'then local w,z=q:match('(%d+) (%d+) $')j=j or next(l)and tonumber(w)==e or m>0 and tonumber(z)==e end local k=m>0 or h~='latch'and next(l)if n~='forget'and not k then return{'idle',a,h}end if not j then return{'passed',a,f}end for a in pairs(l)do E(a,'F')end E(b,'F')if h=='semaphore'and n~='forget'then for b=1,#M,o do local l={}for i=b,math.min(b+o-1,#M)do table.insert(l,string.format('%.1f',a-0.5))table.insert(l,M[i])end redis.call('ZREM',i,unpack(M,b,math.min(b+o-1,#M)))redis.call('ZADD',i,unpack(l))end local b,n=q:match('^(%S*) %d+ %d+ %d+ (%d+)')if b==''then g=math.max(a,s,tonumber(n))end else local c=h=='fair'and n~='forget'and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]if h=='latch'then redis.call('UNLINK',i)elseif not c then K()end if h~='once'or n=='forget'then g,q=c and-c or 0,c and q or''end end f=math.max(f+1,a)O()local c=S(h~='once'and h~='semaphore')if c then return c end return{'released',a,f}",
  replies: {
    released: { token: "integer" },
    passed: { token: "integer" },
    idle: { type: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["40301212bed867afc958dcba7353039f4ea4f5d1", "426c6fea677934459a5d14f1a7571f87a9265546"];
