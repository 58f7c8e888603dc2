// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])local l,am=b:sub(1,36),a+ARGV[4]*1000 local c,e,aT=o[l],0,{}if c then e=select(2,ag())if g~=f then c=nil end if c and am>c then o[l]=am end elseif g>=f and(m=='semaphore'or m=='rw'and A:find(' '..ARGV[3]..' ',1,true))then local k=aS(b)local bq=m~='semaphore'local t=redis.call('ZMSCORE',j,bq and'o'..b:sub(37)or't'..l,unpack(k))local bc=tonumber(table.remove(t,1)or nil)for p,E in ipairs(t)do local ba=tonumber(E or 0)if ba>a then c,e=math.min(c or ba,ba),e+1 table.insert(aT,string.format('%.0f',math.max(ba,am)))table.insert(aT,k[p])elseif E and not v(l)then B(l,'e')end end if bq and bc then e=bc-8e15 end if not bq and bc~=f*1024 then c=nil end end if not c then return{'lost',a,aj(l,m=='semaphore'and math.huge or f),''}end if am>c then c,i=am,math.max(i,am)if#aT>0 then redis.call('ZADD',j,unpack(aT))end S(ARGV[5])x(ARGV[5])end return{'extended',a,c-a,e}",
  sha: ["6f4d2a7c48ed6148145e836b5dcc9a196c53ce10", "67e83a4e253d735ab12a9c1f05101015de5e4f78"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
