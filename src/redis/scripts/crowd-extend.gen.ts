// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + members + requests + accounts + "local b,e=ARGV[2],tonumber(ARGV[3])local j,k,n=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,d,o,I=l[j],0,{},nil if c then d=select(2,M())if f~=e then c=nil end if c and n>c then l[j]=n end elseif h=='semaphore'or h=='rw'then local m=ab(b)local f=h~='semaphore'local v=redis.call('ZMSCORE',i,f and'o'..k or't'..j,unpack(m))local g=table.remove(v,1)for i,b in ipairs(v)do local e=tonumber(b or 0)if e>a and e<4e15 then c,d=math.min(c or e,e),d+1 table.insert(o,string.format('%.0f',math.max(e,n)))table.insert(o,m[i])elseif b then I=aa(e)end end if f and not s:find(' '..ARGV[3]..' ',1,true)then c=nil end if f and g and c then local a,m=S(g)d=math.max(d,a)table.insert(o,ad(d,math.max(m,c,n)))table.insert(o,'o'..k)elseif not f then local d,a=T(g)if d~=e then c=nil end if a then I=ap(a)end end end if not c then return{'lost',a,P(j,h=='semaphore'and math.huge or e,I),''}end if n>c then c,g=n,math.max(g,n)if#o>0 then redis.call('ZADD',i,unpack(o))O()end x()end return{'extended',a,c-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3c6b853194edc310530fa9dd98f6597b972b62ca", "62ddf060efb6bcf35ccca6c5603c43a827e7badd"];
