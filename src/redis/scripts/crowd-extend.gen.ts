// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, failed, fresh, keep, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + keep + failed + members + requests + accounts + "local b,f=ARGV[2],tonumber(ARGV[3])local k,m,q=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,d,o,I=l[k],0,{},nil if c then d=select(2,R())if h~=f then c=nil end if c and q>c then l[k]=q end elseif i=='semaphore'or i=='rw'then local n=ag(b)local g=i~='semaphore'local z=redis.call('ZMSCORE',e,g and'o'..m or't'..k,unpack(n))local h=table.remove(z,1)for j,h in ipairs(z)do local b=tonumber(h or 0)if b>a and b<4e15 then c,d=math.min(c or b,b),d+1 table.insert(o,string.format('%.0f',math.max(b,q)))table.insert(o,n[j])elseif h then I=aj(b)end end if g and not B:find(' '..ARGV[3]..' ',1,true)then c=nil end if g and h and c then local a,n=ab(h)d=math.max(d,a)table.insert(o,aa(d,math.max(n,c,q)))table.insert(o,'o'..m)elseif not g then local ai,H=ac(h)if ai~=f then c=nil end if H then I=at(H)end end end if not c then if S then s(redis.pcall)end return{'lost',a,T(k,i=='semaphore'and math.huge or f,I),''}end if q>c then c,g=q,math.max(g,q)s()if#o>0 then V()redis.call('ZADD',e,unpack(o))end end return{'extended',a,c-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["7d32fcdbb72363454f5de77172d611e72c186ea0", "b106ec7c2c4742cf71ef9a3f17a516213396561f"];
