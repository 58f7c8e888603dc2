// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + members + requests + accounts + "local b,g=ARGV[2],tonumber(ARGV[3])local j,k,m=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,d,o,E=l[j],0,{},nil if c then d=select(2,L())if f~=g then c=nil end if c and m>c then l[j]=m end elseif h=='semaphore'or h=='rw'then local n=ad(b)local e=h~='semaphore'local w=redis.call('ZMSCORE',i,e and'o'..k or't'..j,unpack(n))local f=table.remove(w,1)for i,f in ipairs(w)do local b=tonumber(f or 0)if b>a and b<4e15 then c,d=math.min(c or b,b),d+1 table.insert(o,string.format('%.0f',math.max(b,m)))table.insert(o,n[i])elseif f then E=aa(b)end end if e and not t:find(' '..ARGV[3]..' ',1,true)then c=nil end if e and f and c then local a,n=ab(f)d=math.max(d,a)table.insert(o,af(d,math.max(n,c,m)))table.insert(o,'o'..k)elseif not e then local S,M=U(f)if S~=g then c=nil end if M then E=ar(M)end end end if not c then if O then v(redis.pcall)end return{'lost',a,P(j,h=='semaphore'and math.huge or g,E),''}end if m>c then c,e=m,math.max(e,m)if#o>0 then redis.call('ZADD',i,unpack(o))N()end v()end return{'extended',a,c-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["d4a938e0eb38814c110843808d643abd4e20c864", "d79df7257feb957857e5e6a965b7cdb49a7fa555"];
