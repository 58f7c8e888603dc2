// Generated from lua/held-begin.lua by tools/build-lua.ts; do not edit.
import { clock, ended, ending, fresh, lock, once, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HeldBeginReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly attempt: number; readonly heldToken: number; readonly heldRemaining: number }
  | { readonly status: "running"; readonly now: number; readonly remaining: number }
  | { readonly status: "done"; readonly now: number; readonly token: number; readonly result: string }
  | { readonly status: "held"; readonly now: number; readonly remaining: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const heldBegin: Script<readonly [id: string | number, lease: string | number, ttl: string | number, retention: string | number, before: string | number, note: string | number, hold: string | number, holdToken: string | number, anew: string | number], HeldBeginReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + "local q={KEYS[1],KEYS[2]}local Q=redis.call('MGET',unpack(q))local b,k,Y,c=ARGV[2],ARGV[8],tonumber(ARGV[9]),a+ARGV[3]*1000 local d,f,u,z,p,A={},nil,nil,nil,nil,nil for i,M in ipairs(q)do local y=Q[i]\n" + record + ended + ending + "local m=i==1 and'once'or'lock'local n,e=R()local C if i==1 then if j=='once'and h>tonumber(ARGV[6])then h=math.max(h,a+1)end\n" + once + "if E(m)then return{'kind',a,j}end if x(b)then return G()end if r~=''then return{'done',a,g,'='..p}end u,f=l[b],g if e>0 and not u then return{'running',a,n-a}end if not u then i,p,f=i+1,ARGV[7],math.max(g+1,a)h,C=math.max(a+ARGV[4]*1000,c),true H()end z=i elseif l[k]and g==Y then p,A=Y,l[k]-a elseif u and l[b]then p,A=g,l[b]-a elseif ARGV[10]=='0'then if T then s(redis.pcall)end return{'lost',a,U(k,Y)}else\n" + lock + waited + "if E(m)then return{'kind',a,j}end if x(b)or u or l[b]then return G()end if e>0 then return{'held',a,n-a}end P(0)J,W,h,C='',ARGV[7],c,true H()f=math.max(f,g+1)p,A=f,c-a end d[i]=C and function()g,l[b]=f,c return s(redis.pcall)end end for i=2,1,-1 do local a=d[i]and d[i]()if a and a.err then if d[i+1]then if Q[2]then redis.call('SET',q[2],Q[2],'KEEPTTL')else redis.call('DEL',q[2])end end return a end end return{'granted',a,f,(u or c)-a,z,p,A}",
  replies: {
    granted: { token: "integer", remaining: "integer", attempt: "integer", heldToken: "integer", heldRemaining: "integer" },
    running: { remaining: "integer" },
    done: { token: "integer", result: "text" },
    held: { remaining: "integer" },
    lost: { reason: "text" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["6cdf99ff4f998b823711a695d47d1ec60432bd13", "b166451aac9f6dfbb3428a811664a2c69041914d"];
