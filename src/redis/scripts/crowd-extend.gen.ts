// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, failed, fresh, keep, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + keep + failed + members + requests + accounts + "local b,f=ARGV[2],tonumber(ARGV[3])local k,m,p=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,e,r,q=l[k],0,{},nil if c then e=select(2,R())if g~=f then c=nil end if c and p>c then l[k]=p end elseif j=='semaphore'or j=='rw'then local n=ag(b)local g=j~='semaphore'local z=redis.call('ZMSCORE',d,g and'o'..m or't'..k,unpack(n))local h=table.remove(z,1)for i,g in ipairs(z)do local b=tonumber(g or 0)if b>a and b<4e15 then c,e=math.min(c or b,b),e+1 table.insert(r,string.format('%.0f',math.max(b,p)))table.insert(r,n[i])elseif g then q=ak(b)end end if g and not D:find(' '..ARGV[3]..' ',1,true)then c=nil end if g and h and c then local a,n=ai(h)e=math.max(e,a)table.insert(r,aa(e,math.max(n,c,p)))table.insert(r,'o'..m)elseif not g then local aj,G=ad(h)if aj~=f then c=nil end if G then q=av(G)end end end if not c then if T then s(redis.pcall)end return{'lost',a,U(k,j=='semaphore'and math.huge or f,q),''}end if p>c then c,h=p,math.max(h,p)s()if#r>0 then V()redis.call('ZADD',d,unpack(r))end end return{'extended',a,c-a,e}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ebf86822570f46fd51b0d9dda3b36f2e79d7531c", "4ee81de92c2e9f1daf944cf0af0b38160c120937"];
