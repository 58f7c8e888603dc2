// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, members, one, owners, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + crowd + members + owners + "local t,o=ARGV[2],tonumber(ARGV[3])local s,f=t:sub(1,36),e+ARGV[4]*1000 local n,a,h,y=m[s],0,{},nil if n then a=select(2,P())if l~=o then n=nil end if n and f>n then m[s]=f end elseif d=='semaphore'or d=='rw'then local c=Y(t)local r=d~='semaphore'local g=redis.call('ZMSCORE',i,r and'o'..t:sub(37)or't'..s,unpack(c))local l=tonumber(table.remove(g,1)or nil)for i,t in ipairs(g)do local o=tonumber(t or 0)if o>e and o<4e15 then n,a=math.min(n or o,o),a+1 table.insert(h,string.format('%.0f',math.max(o,f)))table.insert(h,c[i])elseif t then y=X(o)end end if r and not x:find(' '..ARGV[3]..' ',1,true)then n=nil end if r and l and n then local e,y=H(l)a=math.max(a,e)table.insert(h,T(a,math.max(y,n,f)))table.insert(h,'o'..t:sub(37))elseif not r and l~=o*1024 then n=nil if l and l<0 then y=es(-l/1024%10)end end end if not n then return{'lost',e,Q(s,d=='semaphore'and math.huge or o,y),''}end if f>n then n,r=f,math.max(r,f)if#h>0 then redis.call('ZADD',i,unpack(h))end K()v()end return{'extended',e,n-e,a}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["8fe905459b12c03f33bf7681e8753dbb28529e0c", "76e714c29ff31f09752be5f79ce274e966d0061f"];
