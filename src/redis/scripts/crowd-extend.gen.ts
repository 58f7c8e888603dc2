// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + members + requests + accounts + "local b,d=ARGV[2],tonumber(ARGV[3])local j,k,n=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,f,o,H=l[j],0,{},nil if c then f=select(2,L())if e~=d then c=nil end if c and n>c then l[j]=n end elseif h=='semaphore'or h=='rw'then local m=aa(b)local e=h~='semaphore'local u=redis.call('ZMSCORE',i,e and'o'..k or't'..j,unpack(m))local g=table.remove(u,1)for i,b in ipairs(u)do local d=tonumber(b or 0)if d>a and d<4e15 then c,f=math.min(c or d,d),f+1 table.insert(o,string.format('%.0f',math.max(d,n)))table.insert(o,m[i])elseif b then H=Z(d)end end if e and not s:find(' '..ARGV[3]..' ',1,true)then c=nil end if e and g and c then local a,m=X(g)f=math.max(f,a)table.insert(o,ac(f,math.max(m,c,n)))table.insert(o,'o'..k)elseif not e then local ad,a=S(g)if ad~=d then c=nil end if a then H=ap(a)end end end if not c then return{'lost',a,O(j,h=='semaphore'and math.huge or d,H),''}end if n>c then c,g=n,math.max(g,n)if#o>0 then redis.call('ZADD',i,unpack(o))N()end w()end return{'extended',a,c-a,f}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5ff03b0191e078c0c40890ea9122ae461f5bcb5e", "3e6150cf5746758fe9d1ae4f7fec22ffb7bb6daf"];
