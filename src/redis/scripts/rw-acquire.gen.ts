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
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + oust + accounts + last_end + rw + requests + ended + ending + superseded + "local b,k=ARGV[2],ARGV[5]local j,p,W=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local o=j..(W~=''and'@'..W or'')local c,J=a+ARGV[3]*1000,ARGV[7]*1000 if y('rw')then return{'kind',a,h}end local d=k=='steal'and aq(j,ARGV[8])if d then M()return{'superseded',a,d}end if u(j)then return M()end local n,R=L()if l[j]then return{'granted',a,x,l[j]-a,R}end local z,ak=p~=''and p==D,e>a or h=='none'local T=R>0 and z local ad=h~='rw'and h~='none'\n" + rw_expired + "local function aa(b,c)if J>0 and c then local z=a+J+1000000 e=math.max(e,z)if c=='w'then m=math.max(m,z)end if q[p]>0 then aj(p,w[3])end local b=tonumber(w[c=='r'and 2 or 4]or 0)local f=c=='r'and ag(z)or-z ao(#g==0 and'LT'or nil,{string.format('%.0f',math.min(f,b)),c..o})end return{'held',a,b-a,math.max(a-f,0),J,J>0 and c=='r'and 1 or 0}end if k=='read'then ai()local A,k=tonumber(w[1]or 0),tonumber(w[2]or 0)local r,s=ab(w[3])r=math.max(r-q[p],0)local h=(R==0 or T)and V()or 0 local t=h>0 local d=t and s>a and r or 0 local Q=A>0 or T or d>0 local g=Q and z and x>0 and x or C if A>0 then if A<=a or A>4e15 or g==0 then return{'closed',a}end return{'granted',a,g,A-a,math.max(d,1)}end if Q and ARGV[6]=='0'then return{'not_reentrant',a,e-a}end if d>=64 then return{'too_many_holds',a}end if R>0 and not T then for C,b in ipairs(redis.call('ZRANGEBYSCORE',i,ag(a),-4.5e15,'LIMIT',0,math.max(50-#E,0)))do if b~='r'..o then table.insert(E,b)end end return aa(n,'r')end if not Q then if m>a and k>=ag(a)then return aa(e)end if not t then C=0 end if z or not t then x=0 end g=C end if g==0 then f=math.max(f+1,a)g,C=f,f end if k<0 then table.insert(E,'r'..o)end e=math.max(e,c,h)local l={string.format('%.0f',c),b}if p~=''then l[3],l[4]=af(r+1,math.max(s,c)),'o'..p end if W~=''then table.insert(l,an(a))table.insert(l,'t'..j)end ao(nil,l)return{'granted',a,g,c-a,d+1}end if k=='steal'then if not ad then A()end Y('F')R,m=0,0 elseif R>0 then if not z then if J>0 then ai()end return aa(n,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,n-a}end if R==64 then return{'too_many_holds',a}end elseif ak then local h=V()if h>0 then e=math.max(e,h)ai()local o,s=ab(w[3])if s>a and o>q[p]then return{'upgrade_refused',a}end return aa(h,'w')end local b=S()if b>0 then return aa(b,'w')end end if k~='steal'then at(o)end if R==0 then f=math.max(f+1,a)x,C,D,Q=f,0,p,W end l[j],e=c,math.max(e,c)F()v()if ad then redis.call('UNLINK',i)elseif ak then redis.call('ZREM',i,'w'..o)N()end return{'granted',a,x,c-a,R+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["c8cbf080421c044a5dab774b1244ca63fd7fe1ad", "2d7cfb3c872724c38688f3d24f11ef6cf4ed7983"];
