// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, one, owners, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local y=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\n" + owners + "\nlocal b,g=ARGV[2],tonumber(ARGV[3])local k,am=b:sub(1,36),a+ARGV[4]*1000 local c,d,aL,v=o[k],0,{},nil if c then d=select(2,aq())if h~=g then c=nil end if c and am>c then o[k]=am end elseif l=='semaphore'or l=='rw'then local m=bg(b)local bn=l~='semaphore'local w=redis.call('ZMSCORE',i,bn and'o'..b:sub(37)or't'..k,unpack(m))local aG=tonumber(table.remove(w,1)or nil)for p,A in ipairs(w)do local aY=tonumber(A or 0)if aY>a then c,d=math.min(c or aY,aY),d+1 table.insert(aL,string.format('%.0f',math.max(aY,am)))table.insert(aL,m[p])elseif A then v=be(aY)end end if bn and not H:find(' '..ARGV[3]..' ',1,true)then c=nil end if bn and aG and c then local cH,u=aV(aG)d=math.max(d,cH)table.insert(aL,bi(d,math.max(u,c,am)))table.insert(aL,'o'..b:sub(37))elseif not bn and aG~=g*1024 then c=nil if aG and aG<0 then v=ci(-aG/1024%10)end end end if not c then return{'lost',a,au(k,l=='semaphore'and math.huge or g,v),''}end if am>c then c,j=am,math.max(j,am)if#aL>0 then redis.call('ZADD',i,unpack(aL))end ad()z()end return{'extended',a,c-a,d}",
  sha: ["f0f86cdde7042151f01f8dc5501e6c7414abd9aa", "91deb7cffc9c9d55784c3e128c6790b8c94c4e32"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
