// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local r=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + members + requests + accounts + "local b,e=ARGV[2],tonumber(ARGV[3])local j,l,n=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,d,o,z=m[j],0,{},nil if c then d=select(2,M())if f~=e then c=nil end if c and n>c then m[j]=n end elseif h=='semaphore'or h=='rw'then local k=aa(b)local f=h~='semaphore'local w=redis.call('ZMSCORE',i,f and'o'..l or't'..j,unpack(k))local g=table.remove(w,1)for i,b in ipairs(w)do local e=tonumber(b or 0)if e>a and e<4e15 then c,d=math.min(c or e,e),d+1 table.insert(o,string.format('%.0f',math.max(e,n)))table.insert(o,k[i])elseif b then z=Z(e)end end if f and not t:find(' '..ARGV[3]..' ',1,true)then c=nil end if f and g and c then local a,q=S(g)d=math.max(d,a)table.insert(o,ac(d,math.max(q,c,n)))table.insert(o,'o'..l)elseif not f then local d,a=T(g)if d~=e then c=nil end if a then z=an(a)end end end if not c then return{'lost',a,P(j,h=='semaphore'and math.huge or e,z),''}end if n>c then c,g=n,math.max(g,n)if#o>0 then redis.call('ZADD',i,unpack(o))O()end y()end return{'extended',a,c-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9bac6f2e5125079557d6d0a4fcb3e536cc0f0c61", "57c0ad28e6bd68795776d46840f8c32d90cacee4"];
