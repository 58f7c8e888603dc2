// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + members + requests + accounts + "local b,g=ARGV[2],tonumber(ARGV[3])local k,l,n=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,d,o,F=m[k],0,{},nil if c then d=select(2,N())if f~=g then c=nil end if c and n>c then m[k]=n end elseif h=='semaphore'or h=='rw'then local j=ab(b)local e=h~='semaphore'local y=redis.call('ZMSCORE',i,e and'o'..l or't'..k,unpack(j))local f=table.remove(y,1)for i,f in ipairs(y)do local b=tonumber(f or 0)if b>a and b<4e15 then c,d=math.min(c or b,b),d+1 table.insert(o,string.format('%.0f',math.max(b,n)))table.insert(o,j[i])elseif f then F=ae(b)end end if e and not w:find(' '..ARGV[3]..' ',1,true)then c=nil end if e and f and c then local a,j=ad(f)d=math.max(d,a)table.insert(o,ac(d,math.max(j,c,n)))table.insert(o,'o'..l)elseif not e then local ac,M=V(f)if ac~=g then c=nil end if M then F=ar(M)end end end if not c then if Q then x(redis.pcall)end return{'lost',a,R(k,h=='semaphore'and math.huge or g,F),''}end if n>c then c,e=n,math.max(e,n)x()if#o>0 then O()redis.call('ZADD',i,unpack(o))end end return{'extended',a,c-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["815f78d4f1494892ce3be3ad900f5d44176b966e", "3615966127a07645677ae0e1390ff1d1056b644c"];
