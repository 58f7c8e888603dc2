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
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + "local r={KEYS[1],KEYS[2]}local P=redis.call('MGET',unpack(r))local b,e,aa,c=ARGV[2],ARGV[8],tonumber(ARGV[9]),a+ARGV[3]*1000 local o,f,q,t,k,x={},nil,nil,nil,nil,nil for j,L in ipairs(r)do local w=P[j]\n" + record + ended + ending + "local m=j==1 and'once'or'lock'local n,d=R()local K if j==1 then if i=='once'and g>tonumber(ARGV[6])then g=math.max(g,a+1)end\n" + once + "if D(m)then return{'kind',a,i}end if y(b)then return H()end if r~=''then return{'done',a,h,'='..o}end q,f=l[b],h if d>0 and not q then return{'running',a,n-a}end if not q then j,o,f=j+1,ARGV[7],math.max(h+1,a)g,K=math.max(a+ARGV[4]*1000,c),true F()end t=j elseif l[e]and h==aa then k,x=aa,l[e]-a elseif q and l[b]then k,x=h,l[b]-a elseif ARGV[10]=='0'then if S then s(redis.pcall)end return{'lost',a,T(e,aa)}else\n" + lock + waited + "if D(m)then return{'kind',a,i}end if y(b)or q or l[b]then return H()end if d>0 then return{'held',a,n-a}end z(0)M,U,g,K='',ARGV[7],c,true F()f=math.max(f,h+1)k,x=f,c-a end o[j]=K and function()h,l[b]=f,c return s(redis.pcall)end end for j=2,1,-1 do local a=o[j]and o[j]()if a and a.err then if o[j+1]then if P[2]then redis.call('SET',r[2],P[2],'KEEPTTL')else redis.call('DEL',r[2])end end return a end end return{'granted',a,f,(q or c)-a,t,k,x}",
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
export const sha: readonly [plain: string, flagged: string] = ["d3f6e3fc7abcedf171a19d24a9b8ba10d5af8859", "9d9577284e03d5551348817c3abe86fa06ae3c54"];
