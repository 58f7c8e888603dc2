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
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + "local q={KEYS[1],KEYS[2]}local N=redis.call('MGET',unpack(q))local b,d,W,c=ARGV[2],ARGV[8],tonumber(ARGV[9]),a+ARGV[3]*1000 local o,f,p,r,k,z={},nil,nil,nil,nil,nil for i,K in ipairs(q)do local u=N[i]\n" + record + ended + ending + "local m=i==1 and'once'or'lock'local n,e=P()local I if i==1 then if j=='once'and g>tonumber(ARGV[6])then g=math.max(g,a+1)end\n" + once + "if B(m)then return{'kind',a,j}end if w(b)then return G()end if q~=''then return{'done',a,h,'='..o}end p,f=l[b],h if e>0 and not p then return{'running',a,n-a}end if not p then i,o,f=i+1,ARGV[7],math.max(h+1,a)g,I=math.max(a+ARGV[4]*1000,c),true C()end r=i elseif l[d]and h==W then k,z=W,l[d]-a elseif p and l[b]then k,z=h,l[b]-a elseif ARGV[10]=='0'then if Q then x(redis.pcall)end return{'lost',a,R(d,W)}else\n" + lock + waited + "if B(m)then return{'kind',a,j}end if w(b)or p or l[b]then return G()end if e>0 then return{'held',a,n-a}end y(0)J,S,g,I='',ARGV[7],c,true C()f=math.max(f,h+1)k,z=f,c-a end o[i]=I and function()h,l[b]=f,c return x(redis.pcall)end end for i=2,1,-1 do local a=o[i]and o[i]()if a and a.err then if o[i+1]then if N[2]then redis.call('SET',q[2],N[2],'KEEPTTL')else redis.call('DEL',q[2])end end return a end end return{'granted',a,f,(p or c)-a,r,k,z}",
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
export const sha: readonly [plain: string, flagged: string] = ["d89a0d15e7906fce18b32af9f64c2f0fa670e4ec", "871b6fdb9863bbd5a9b10b8e384e82b8ca75cb7c"];
