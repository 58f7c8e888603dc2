// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, members, one, owners, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\n" + members + "\n" + owners + "\nlocal b,g=ARGV[2],tonumber(ARGV[3])local l,am=b:sub(1,36),a+ARGV[4]*1000 local c,d,aN,v=o[l],0,{},nil if c then d=select(2,ar())if h~=g then c=nil end if c and am>c then o[l]=am end elseif k=='semaphore'or k=='rw'then local m=bh(b)local bo=k~='semaphore'local x=redis.call('ZMSCORE',j,bo and'o'..b:sub(37)or't'..l,unpack(m))local aI=tonumber(table.remove(x,1)or nil)for p,A in ipairs(x)do local aZ=tonumber(A or 0)if aZ>a then c,d=math.min(c or aZ,aZ),d+1 table.insert(aN,string.format('%.0f',math.max(aZ,am)))table.insert(aN,m[p])elseif A then v=bf(aZ)end end if bo and not H:find(' '..ARGV[3]..' ',1,true)then c=nil end if bo and aI and c then local cJ,u=aW(aI)d=math.max(d,cJ)table.insert(aN,bj(d,math.max(u,c,am)))table.insert(aN,'o'..b:sub(37))elseif not bo and aI~=g*1024 then c=nil if aI and aI<0 then v=ck(-aI/1024%10)end end end if not c then return{'lost',a,av(l,k=='semaphore'and math.huge or g,v),''}end if am>c then c,i=am,math.max(i,am)if#aN>0 then redis.call('ZADD',j,unpack(aN))end ad()z()end return{'extended',a,c-a,d}",
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["fd0853ff80932ef0d4ac839351c5bedc79aeaa07", "d89a498ff7bf59f00fd30854f050dfae7122d496"];
