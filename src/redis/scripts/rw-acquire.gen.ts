// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, fresh, oust, read_name, record, requests, rw, rw_expired } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly back: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "upgrade_refused"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, mode: string | number, reentrant: string | number, back: string | number], RwAcquireReply> = {
  lua: "local r=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + oust + accounts + rw + requests + "local b,l=ARGV[2],ARGV[5]local j,o,D=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local c,H=a+ARGV[3]*1000,ARGV[7]*1000 if B('rw')then return{'kind',a,h}end if v(j)then return{'closed',a}end local q,d=M()if m[j]then return{'granted',a,x,m[j]-a,d}end local N,z=o~=''and o==F,g>a or h=='none'local P=d>0 and N local e=h~='rw'and h~='none'\n" + rw_expired + "local function R(z,c)if H>0 and c then local k=a+H+1000000 g=math.max(g,k)if c=='w'then n=math.max(n,k)end if p[o]>0 then aa(o,w[3])end local d=tonumber(w[c=='r'and 2 or 4]or 0)local b=c=='r'and ad(k)or-k ai(#u==0 and'LT'or nil,{string.format('%.0f',math.min(b,d)),c..j})end return{'held',a,z-a,math.max(a-f,0),H}end if l=='read'then Z()local u,l=tonumber(w[1]or 0),tonumber(w[2]or 0)local h,r=S(w[3])h=math.max(h-p[o],0)local s=(d==0 or P)and ae()>0 local z=s and r>a and h or 0 local Q=u>0 or P or z>0 local e=Q and N and x>0 and x or C if u>0 then if u<=a or u>4e15 or e==0 then return{'closed',a}end return{'granted',a,e,u-a,math.max(z,1)}end if Q and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if z>=64 then return{'too_many_holds',a}end if d>0 and not P then for F,d in ipairs(redis.call('ZRANGEBYSCORE',i,ad(a),-4.5e15,'LIMIT',0,math.max(50-#k,0)))do if d~='r'..j then table.insert(k,d)end end return R(q,'r')end if not Q then if n>a and l>=ad(a)then return R(g)end if not s then C=0 end if N or not s then x=0 end e=C end if e==0 then f=math.max(f+1,a)e,C=f,f end if l<0 then table.insert(k,'r'..j)end g=math.max(g,c)local m={string.format('%.0f',c),b}if o~=''then m[3],m[4]=ac(h+1,math.max(r,c)),'o'..o end if D~=''then table.insert(m,ak(a))table.insert(m,'t'..j)end ai(nil,m)return{'granted',a,e,c-a,z+1}end if l=='steal'then if not e then X()end W('F')d,n=0,0 elseif d>0 then if not N then if H>0 then Z()end return R(q,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,q-a}end if d==64 then return{'too_many_holds',a}end elseif z then local z=ae()if z>0 then Z()local u,r=S(w[3])if r>a and u>p[o]then return{'upgrade_refused',a}end return R(z,'w')end z=K()if z>0 then return R(z,'w')end end if l~='steal'then al(j)end if d==0 then f=math.max(f+1,a)x,C,F,Q=f,0,o,D end m[j],g=c,math.max(g,c)E()y()if e then redis.call('UNLINK',i)elseif z then redis.call('ZREM',i,'w'..j)O()end return{'granted',a,x,c-a,d+1}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", back: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    upgrade_refused: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["055666c924bf23467d57acf9e066200f9dd2e1b1", "38b78b32430b5dadb47149bbf299e1b3ab265fef"];
