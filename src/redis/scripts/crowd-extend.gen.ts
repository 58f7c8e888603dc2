// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, members, one, owners, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\n" + members + "\n" + owners + "\nlocal b,g=ARGV[2],tonumber(ARGV[3])local l,am=b:sub(1,36),a+ARGV[4]*1000 local c,d,aM,v=o[l],0,{},nil if c then d=select(2,aq())if h~=g then c=nil end if c and am>c then o[l]=am end elseif k=='semaphore'or k=='rw'then local m=bg(b)local bn=k~='semaphore'local x=redis.call('ZMSCORE',j,bn and'o'..b:sub(37)or't'..l,unpack(m))local aH=tonumber(table.remove(x,1)or nil)for p,A in ipairs(x)do local aY=tonumber(A or 0)if aY>a then c,d=math.min(c or aY,aY),d+1 table.insert(aM,string.format('%.0f',math.max(aY,am)))table.insert(aM,m[p])elseif A then v=be(aY)end end if bn and not H:find(' '..ARGV[3]..' ',1,true)then c=nil end if bn and aH and c then local cI,u=aV(aH)d=math.max(d,cI)table.insert(aM,bi(d,math.max(u,c,am)))table.insert(aM,'o'..b:sub(37))elseif not bn and aH~=g*1024 then c=nil if aH and aH<0 then v=cj(-aH/1024%10)end end end if not c then return{'lost',a,au(l,k=='semaphore'and math.huge or g,v),''}end if am>c then c,i=am,math.max(i,am)if#aM>0 then redis.call('ZADD',j,unpack(aM))end ad()z()end return{'extended',a,c-a,d}",
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["aa322e7057c8cf65ee5dd5d6ad227c81434a9f4c", "de879bb0cc757e9c3d331b2ec97abe15aeafc9d8"];
