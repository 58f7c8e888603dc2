// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local r=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + members + requests + accounts + "local b,e=ARGV[2],tonumber(ARGV[3])local j,k,l=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,d,o,H=m[j],0,{},nil if c then d=select(2,L())if f~=e then c=nil end if c and l>c then m[j]=l end elseif h=='semaphore'or h=='rw'then local n=ac(b)local f=h~='semaphore'local v=redis.call('ZMSCORE',i,f and'o'..k or't'..j,unpack(n))local g=table.remove(v,1)for i,f in ipairs(v)do local b=tonumber(f or 0)if b>a and b<4e15 then c,d=math.min(c or b,b),d+1 table.insert(o,string.format('%.0f',math.max(b,l)))table.insert(o,n[i])elseif f then H=ab(b)end end if f and not t:find(' '..ARGV[3]..' ',1,true)then c=nil end if f and g and c then local a,n=Z(g)d=math.max(d,a)table.insert(o,ae(d,math.max(n,c,l)))table.insert(o,'o'..k)elseif not f then local R,a=T(g)if R~=e then c=nil end if a then H=aq(a)end end end if not c then return{'lost',a,O(j,h=='semaphore'and math.huge or e,H),''}end if l>c then c,g=l,math.max(g,l)if#o>0 then redis.call('ZADD',i,unpack(o))N()end x()end return{'extended',a,c-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["57691ab8995fd7d3a455800c2f7a6174e622a68a", "1a8a0cda58657658d82ad76d360c5cf249d67eee"];
