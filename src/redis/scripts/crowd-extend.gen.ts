// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, fresh, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + members + requests + accounts + "local b,h=ARGV[2],tonumber(ARGV[3])local l,m,o=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,e,p,F=n[l],0,{},nil if c then e=select(2,N())if g~=h then c=nil end if c and o>c then n[l]=o end elseif i=='semaphore'or i=='rw'then local k=ab(b)local f=i~='semaphore'local y=redis.call('ZMSCORE',d,f and'o'..m or't'..l,unpack(k))local g=table.remove(y,1)for j,g in ipairs(y)do local b=tonumber(g or 0)if b>a and b<4e15 then c,e=math.min(c or b,b),e+1 table.insert(p,string.format('%.0f',math.max(b,o)))table.insert(p,k[j])elseif g then F=ae(b)end end if f and not w:find(' '..ARGV[3]..' ',1,true)then c=nil end if f and g and c then local a,k=ad(g)e=math.max(e,a)table.insert(p,ac(e,math.max(k,c,o)))table.insert(p,'o'..m)elseif not f then local ac,M=V(g)if ac~=h then c=nil end if M then F=ar(M)end end end if not c then if Q then x(redis.pcall)end return{'lost',a,R(l,i=='semaphore'and math.huge or h,F),''}end if o>c then c,f=o,math.max(f,o)x()if#p>0 then O()redis.call('ZADD',d,unpack(p))end end return{'extended',a,c-a,e}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b7860b0c1b9a836162a76224906e66d348ed74e3", "445db612beb85f76e5e06189faf6990ac96b8f27"];
