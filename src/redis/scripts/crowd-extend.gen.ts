// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, members, one, owners, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + crowd + members + owners + "local b,g=ARGV[2],tonumber(ARGV[3])local l,ao=b:sub(1,36),a+ARGV[4]*1000 local c,d,aO,z=o[l],0,{},nil if c then d=select(2,au())if h~=g then c=nil end if c and ao>c then o[l]=ao end elseif k=='semaphore'or k=='rw'then local m=bj(b)local bq=k~='semaphore'local w=redis.call('ZMSCORE',j,bq and'o'..b:sub(37)or't'..l,unpack(m))local aJ=tonumber(table.remove(w,1)or nil)for q,s in ipairs(w)do local aR=tonumber(s or 0)if aR>a and aR<4e15 then c,d=math.min(c or aR,aR),d+1 table.insert(aO,string.format('%.0f',math.max(aR,ao)))table.insert(aO,m[q])elseif s then z=bg(aR)end end if bq and not I:find(' '..ARGV[3]..' ',1,true)then c=nil end if bq and aJ and c then local cR,y=aX(aJ)d=math.max(d,cR)table.insert(aO,bl(d,math.max(y,c,ao)))table.insert(aO,'o'..b:sub(37))elseif not bq and aJ~=g*1024 then c=nil if aJ and aJ<0 then z=cq(-aJ/1024%10)end end end if not c then return{'lost',a,aw(l,k=='semaphore'and math.huge or g,z),''}end if ao>c then c,i=ao,math.max(i,ao)if#aO>0 then redis.call('ZADD',j,unpack(aO))end ae()C()end return{'extended',a,c-a,d}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["53dd3f7b274f93d8411a5dad3d48bbde86da294a", "7be3e55f12197bf02a221617a038d6ee82276b50"];
