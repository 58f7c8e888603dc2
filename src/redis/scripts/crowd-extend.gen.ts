// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, members, one, owners, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + crowd + members + owners + "local b,g=ARGV[2],tonumber(ARGV[3])local l,ap=b:sub(1,36),a+ARGV[4]*1000 local c,d,aN,A=o[l],0,{},nil if c then d=select(2,au())if h~=g then c=nil end if c and ap>c then o[l]=ap end elseif k=='semaphore'or k=='rw'then local m=bk(b)local br=k~='semaphore'local x=redis.call('ZMSCORE',j,br and'o'..b:sub(37)or't'..l,unpack(m))local aJ=tonumber(table.remove(x,1)or nil)for q,s in ipairs(x)do local aQ=tonumber(s or 0)if aQ>a and aQ<4e15 then c,d=math.min(c or aQ,aQ),d+1 table.insert(aN,string.format('%.0f',math.max(aQ,ap)))table.insert(aN,m[q])elseif s then A=bh(aQ)end end if br and not G:find(' '..ARGV[3]..' ',1,true)then c=nil end if br and aJ and c then local cT,z=aX(aJ)d=math.max(d,cT)table.insert(aN,bm(d,math.max(z,c,ap)))table.insert(aN,'o'..b:sub(37))elseif not br and aJ~=g*1024 then c=nil if aJ and aJ<0 then A=cs(-aJ/1024%10)end end end if not c then return{'lost',a,aw(l,k=='semaphore'and math.huge or g,A),''}end if ap>c then c,i=ap,math.max(i,ap)if#aN>0 then redis.call('ZADD',j,unpack(aN))end af()D()end return{'extended',a,c-a,d}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["366c289933a2a9ca144e45785dd091eee7712fa6", "a03d131a9750a246032889c80c58fd408e984714"];
