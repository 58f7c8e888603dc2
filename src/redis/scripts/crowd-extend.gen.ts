// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, members, one, owners, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local y=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + crowd + members + owners + "local b,g=ARGV[2],tonumber(ARGV[3])local l,am=b:sub(1,36),a+ARGV[4]*1000 local c,d,aN,x=o[l],0,{},nil if c then d=select(2,as())if h~=g then c=nil end if c and am>c then o[l]=am end elseif k=='semaphore'or k=='rw'then local m=bh(b)local bo=k~='semaphore'local z=redis.call('ZMSCORE',j,bo and'o'..b:sub(37)or't'..l,unpack(m))local aI=tonumber(table.remove(z,1)or nil)for q,s in ipairs(z)do local aY=tonumber(s or 0)if aY>a then c,d=math.min(c or aY,aY),d+1 table.insert(aN,string.format('%.0f',math.max(aY,am)))table.insert(aN,m[q])elseif s then x=be(aY)end end if bo and not I:find(' '..ARGV[3]..' ',1,true)then c=nil end if bo and aI and c then local cL,w=aV(aI)d=math.max(d,cL)table.insert(aN,bj(d,math.max(w,c,am)))table.insert(aN,'o'..b:sub(37))elseif not bo and aI~=g*1024 then c=nil if aI and aI<0 then x=cm(-aI/1024%10)end end end if not c then return{'lost',a,av(l,k=='semaphore'and math.huge or g,x),''}end if am>c then c,i=am,math.max(i,am)if#aN>0 then redis.call('ZADD',j,unpack(aN))end ad()B()end return{'extended',a,c-a,d}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["67da9e64d54d6db219615f9a0a59b9cad0fe2b93", "b66f2b6b7e3f5135aa19ed677913caabd05e937e"];
