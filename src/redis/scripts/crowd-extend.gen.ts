// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, members, one, owners, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + crowd + members + owners + "local t,o=ARGV[2],tonumber(ARGV[3])local s,m,h=t:sub(1,36),t:match('^[^@]*',37),e+ARGV[4]*1000 local n,a,p,y=f[s],0,{},nil if n then a=select(2,J())if l~=o then n=nil end if n and h>n then f[s]=h end elseif d=='semaphore'or d=='rw'then local c=Y(t)local r=d~='semaphore'local v=redis.call('ZMSCORE',i,r and'o'..m or't'..s,unpack(c))local l=tonumber(table.remove(v,1)or nil)for i,d in ipairs(v)do local t=tonumber(d or 0)if t>e and t<4e15 then n,a=math.min(n or t,t),a+1 table.insert(p,string.format('%.0f',math.max(t,h)))table.insert(p,c[i])elseif d then y=X(t)end end if r and not k:find(' '..ARGV[3]..' ',1,true)then n=nil end if r and l and n then local e,y=D(l)a=math.max(a,e)table.insert(p,Z(a,math.max(y,n,h)))table.insert(p,'o'..m)elseif not r and l~=o*1024 then n=nil if l and l<0 then y=es(-l/1024%10)end end end if not n then return{'lost',e,P(s,d=='semaphore'and math.huge or o,y),''}end if h>n then n,r=h,math.max(r,h)if#p>0 then redis.call('ZADD',i,unpack(p))N()end j()end return{'extended',e,n-e,a}",
  replies: "extended remaining holds|lost reason$ names$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["65492f7132e1aef3eaa97d6f1f5477a03bb19224", "1f388f5d44951927f463212f98dbaf42acc972a1"];
