// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ended, ending, fresh, last_end, oust, read_name, record, requests, rw, rw_expired, superseded } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly back: number; readonly placed: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "upgrade_refused"; readonly now: number }
  | { readonly status: "superseded"; readonly now: number; readonly reason: string }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, mode: string | number, reentrant: string | number, back: string | number, after: string | number], RwAcquireReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + oust + accounts + last_end + rw + requests + ended + ending + superseded + "local b,d=ARGV[2],ARGV[5]local k,p,W=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local o=k..(W~=''and'@'..W or'')local c,L=a+ARGV[3]*1000,ARGV[7]*1000 if A('rw')then return{'kind',a,h}end local aa=d=='steal'and ar(k,ARGV[8])if aa then M()return{'superseded',a,aa}end if v(k)then return M()end local j,E=N()if m[k]then return{'granted',a,B,m[k]-a,E}end local z,t=p~=''and p==P,e>a or h=='none'local T=E>0 and z local l=h~='rw'and h~='none'\n" + rw_expired + "local function ac(b,c)if L>0 and c then local z=a+L+1000000 e=math.max(e,z)if c=='w'then n=math.max(n,z)end if q[p]>0 then am(p,x[3])end local b=tonumber(x[c=='r'and 2 or 4]or 0)local f=c=='r'and ai(z)or-z local m={string.format('%.0f',math.min(f,b)),c..o}local t=aq(#g==0 and'LT'or nil,m)if t then return t end end return{'held',a,b-a,math.max(a-f,0),L,L>0 and c=='r'and 1 or 0}end if d=='read'then aj()local C,l=tonumber(x[1]or 0),tonumber(x[2]or 0)local r,s=ae(x[3])r=math.max(r-q[p],0)local h=(E==0 or T)and ab()or 0 local u=h>0 local d=u and s>a and r or 0 local aa=C>0 or T or d>0 local g=aa and z and B>0 and B or D if C>0 then if C<=a or C>4e15 or g==0 then return{'closed',a}end return{'granted',a,g,C-a,math.max(d,1)}end if aa and ARGV[6]=='0'then return{'not_reentrant',a,e-a}end if d>=64 then return{'too_many_holds',a}end if E>0 and not T then for E,b in ipairs(redis.call('ZRANGEBYSCORE',i,ai(a),-4.5e15,'LIMIT',0,math.max(50-#F,0)))do if b~='r'..o then table.insert(F,b)end end return ac(j,'r')end if not aa then if n>a and l>=ai(a)then return ac(e)end if not u then D=0 end if z or not u then B=0 end g=D end if g==0 then f=math.max(f+1,a)g,D=f,f end if l<0 then table.insert(F,'r'..o)end e=math.max(e,c,h)local m={string.format('%.0f',c),b}if p~=''then m[3],m[4]=ad(r+1,math.max(s,c)),'o'..p end if W~=''then table.insert(m,ap(a))table.insert(m,'t'..k)end local t=aq(nil,m)if t then redis.call('ZREM',i,b,'t'..k)if p~=''then redis.call('ZADD',i,ad(r,s),'o'..p)end return t end return{'granted',a,g,c-a,d+1}end if d=='steal'then Y('F')E,n=0,0 elseif E>0 then if not z then if L>0 then aj()end return ac(j,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,j-a}end if E==64 then return{'too_many_holds',a}end elseif t then local h=ab()if h>0 then e=math.max(e,h)aj()local o,s=ae(x[3])if s>a and o>q[p]then return{'upgrade_refused',a}end return ac(h,'w')end local b=U()if b>0 then return ac(b,'w')end end if d~='steal'then au(o)end if E==0 then f=math.max(f+1,a)B,D,P,S=f,0,p,W end m[k],e=c,math.max(e,c)G()if l then redis.call('UNLINK',i)elseif d=='steal'then if t then O()end ag()end w()if t and not l and d~='steal'then O(redis.pcall)redis.pcall('ZREM',i,'w'..o)end return{'granted',a,B,c-a,E+1}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", back: "integer", placed: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    upgrade_refused: {},
    superseded: { reason: "text" },
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["83c2af37b6382f74f2f3f72a745b28e3aff10641", "17db00d3d28adb93dfd001fcc57e8759dec2bd88"];
