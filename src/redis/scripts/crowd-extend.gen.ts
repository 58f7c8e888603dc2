// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + members + requests + accounts + "local b,f=ARGV[2],tonumber(ARGV[3])local j,k,l=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,d,o,E=m[j],0,{},nil if c then d=select(2,L())if g~=f then c=nil end if c and l>c then m[j]=l end elseif h=='semaphore'or h=='rw'then local n=ad(b)local e=h~='semaphore'local w=redis.call('ZMSCORE',i,e and'o'..k or't'..j,unpack(n))local g=table.remove(w,1)for i,g in ipairs(w)do local b=tonumber(g or 0)if b>a and b<4e15 then c,d=math.min(c or b,b),d+1 table.insert(o,string.format('%.0f',math.max(b,l)))table.insert(o,n[i])elseif g then E=ac(b)end end if e and not t:find(' '..ARGV[3]..' ',1,true)then c=nil end if e and g and c then local a,n=aa(g)d=math.max(d,a)table.insert(o,af(d,math.max(n,c,l)))table.insert(o,'o'..k)elseif not e then local S,R=U(g)if S~=f then c=nil end if R then E=ar(R)end end end if not c then if O then v(redis.pcall)end return{'lost',a,P(j,h=='semaphore'and math.huge or f,E),''}end if l>c then c,e=l,math.max(e,l)if#o>0 then redis.call('ZADD',i,unpack(o))N()end v()end return{'extended',a,c-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["451b0e59d124208c01b2852b3c49acc72c31438a", "8e927241e2422c7b90c344c6971b60eb314874bb"];
