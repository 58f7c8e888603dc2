// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + crowd + members + accounts + "local b,e=ARGV[2],tonumber(ARGV[3])local j,m,n=b:sub(1,36),b:match('^[^@]*',37),a+ARGV[4]*1000 local c,d,o,z=l[j],0,{},nil if c then d=select(2,J())if f~=e then c=nil end if c and n>c then l[j]=n end elseif h=='semaphore'or h=='rw'then local k=Y(b)local g=h~='semaphore'local v=redis.call('ZMSCORE',i,g and'o'..m or't'..j,unpack(k))local f=tonumber(table.remove(v,1)or nil)for i,h in ipairs(v)do local b=tonumber(h or 0)if b>a and b<4e15 then c,d=math.min(c or b,b),d+1 table.insert(o,string.format('%.0f',math.max(b,n)))table.insert(o,k[i])elseif h then z=X(b)end end if g and not q:find(' '..ARGV[3]..' ',1,true)then c=nil end if g and f and c then local a,r=C(f)d=math.max(d,a)table.insert(o,Z(d,math.max(r,c,n)))table.insert(o,'o'..m)elseif not g and f~=e*1024 then c=nil if f and f<0 then z=aj(-f/1024%10)end end end if not c then return{'lost',a,P(j,h=='semaphore'and math.huge or e,z),''}end if n>c then c,g=n,math.max(g,n)if#o>0 then redis.call('ZADD',i,unpack(o))O()end x()end return{'extended',a,c-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["bf5459f4fc2f68a0a52371253dad382fa5b22252", "c31dd89069827533479cbb06e1a2d999986a7a16"];
