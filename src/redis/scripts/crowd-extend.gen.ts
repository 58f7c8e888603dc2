// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local E=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + crowd + members + accounts + "local i,o=ARGV[2],tonumber(ARGV[3])local s,u,h=i:sub(1,36),i:match('^[^@]*',37),e+ARGV[4]*1000 local t,a,y,T=f[s],0,{},nil if t then a=select(2,F())if r~=o then t=nil end if t and h>t then f[s]=h end elseif m=='semaphore'or m=='rw'then local A=q(i)local l=m~='semaphore'local g=redis.call('ZMSCORE',d,l and'o'..u or't'..s,unpack(A))local r=tonumber(table.remove(g,1)or nil)for d,m in ipairs(g)do local i=tonumber(m or 0)if i>e and i<4e15 then t,a=math.min(t or i,i),a+1 table.insert(y,string.format('%.0f',math.max(i,h)))table.insert(y,A[d])elseif m then T=v(i)end end if l and not b:find(' '..ARGV[3]..' ',1,true)then t=nil end if l and r and t then local e,n=p(r)a=math.max(a,e)table.insert(y,V(a,math.max(n,t,h)))table.insert(y,'o'..u)elseif not l and r~=o*1024 then t=nil if r and r<0 then T=es(-r/1024%10)end end end if not t then return{'lost',e,D(s,m=='semaphore'and math.huge or o,T),''}end if h>t then t,l=h,math.max(l,h)if#y>0 then redis.call('ZADD',d,unpack(y))Z()end X()end return{'extended',e,t-e,a}",
  replies: "extended remaining holds|lost reason$ names$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["31d2fba03b8833b28f00d2c88409eb9178074e10", "f62226d96473f1041d0abc6fa05b8597a795b4a9"];
