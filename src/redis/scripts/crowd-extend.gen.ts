// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ending, failed, fresh, keep, members, read_name, record, requests } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + crowd + keep + failed + members + requests + accounts + "local b,g=ARGV[2],tonumber(ARGV[3])local k,m,o=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,e,p,D=n[k],0,{},nil if c then e=select(2,Q())if h~=g then c=nil end if c and o>c then n[k]=o end elseif i=='semaphore'or i=='rw'then local l=ab(b)local f=i~='semaphore'local w=redis.call('ZMSCORE',d,f and'o'..m or't'..k,unpack(l))local h=table.remove(w,1)for j,h in ipairs(w)do local b=tonumber(h or 0)if b>a and b<4e15 then c,e=math.min(c or b,b),e+1 table.insert(p,string.format('%.0f',math.max(b,o)))table.insert(p,l[j])elseif h then D=ae(b)end end if f and not q:find(' '..ARGV[3]..' ',1,true)then c=nil end if f and h and c then local a,l=ah(h)e=math.max(e,a)table.insert(p,ad(e,math.max(l,c,o)))table.insert(p,'o'..m)elseif not f then local ad,F=X(h)if ad~=g then c=nil end if F then D=al(F)end end end if not c then if S then y(redis.pcall)end return{'lost',a,T(k,i=='semaphore'and math.huge or g,D),''}end if o>c then c,f=o,math.max(f,o)y()if#p>0 then P()redis.call('ZADD',d,unpack(p))end end return{'extended',a,c-a,e}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fcd317a8595fa48bcc921ca3531ec23ea16ee1ff", "bd3e6b71f7b33f500e56cb2de161a7a46e2274e5"];
