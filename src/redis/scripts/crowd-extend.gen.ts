// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, failed, fresh, keep, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + keep + failed + members + requests + accounts + "local b,f=ARGV[2],tonumber(ARGV[3])local k,m,p=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,e,o,F=l[k],0,{},nil if c then e=select(2,P())if h~=f then c=nil end if c and p>c then l[k]=p end elseif j=='semaphore'or j=='rw'then local n=ac(b)local g=j~='semaphore'local y=redis.call('ZMSCORE',d,g and'o'..m or't'..k,unpack(n))local h=table.remove(y,1)for i,h in ipairs(y)do local b=tonumber(h or 0)if b>a and b<4e15 then c,e=math.min(c or b,b),e+1 table.insert(o,string.format('%.0f',math.max(b,p)))table.insert(o,n[i])elseif h then F=ae(b)end end if g and not s:find(' '..ARGV[3]..' ',1,true)then c=nil end if g and h and c then local a,n=ad(h)e=math.max(e,a)table.insert(o,W(e,math.max(n,c,p)))table.insert(o,'o'..m)elseif not g then local ad,G=Y(h)if ad~=f then c=nil end if G then F=al(G)end end end if not c then if Q then x(redis.pcall)end return{'lost',a,R(k,j=='semaphore'and math.huge or f,F),''}end if p>c then c,g=p,math.max(g,p)x()if#o>0 then T()redis.call('ZADD',d,unpack(o))end end return{'extended',a,c-a,e}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["7e7d325a6a6fd3f1a56e7e8098ce3f64473b8889", "848a6f269d6825a217dd254641cd29328abf49b4"];
