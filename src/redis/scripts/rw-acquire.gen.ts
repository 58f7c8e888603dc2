// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, close_all, crowd, ended, ending, failed, fresh, keep, last_end, oust, read_name, record, requests, rw, rw_expired, superseded } from "../parts.gen.ts";
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
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + keep + failed + accounts + last_end + rw + ended + "local b,e=ARGV[2],ARGV[5]local k,r,O=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local p=k..(O~=''and'@'..O or'')local c,D=a+ARGV[3]*1000,ARGV[7]*1000 if B('rw')then return{'kind',a,i}end if e=='steal'then\n" + ending + superseded + "local c=d(k,ARGV[8])if c then F()return{'superseded',a,c}end end if x(k)then return F()end local l,H=Q()if n[k]then return{'granted',a,z,n[k]-a,H}end local A,j=r~=''and r==R,f>a or i=='none'local J=H>0 and A local m=i~='rw'and i~='none'\n" + rw_expired + "local function T(b,c)if D>0 and c then local A=a+D+1000000 f=math.max(f,A)if c=='w'then o=math.max(o,A)end if t[r]>0 then ab(r,w[3])end local b=tonumber(w[c=='r'and 2 or 4]or 0)local h=c=='r'and X(A)or-A local q={string.format('%.0f',math.min(h,b)),c..p}local j=ac(#g==0 and'LT'or nil,q)if j then return j end end return{'held',a,b-a,math.max(a-h,0),D,D>0 and c=='r'and 1 or 0}end if e=='read'then V()local C,m=tonumber(w[1]or 0),tonumber(w[2]or 0)local n,u=ah(w[3])n=math.max(n-t[r],0)local i=(H==0 or J)and af()or 0 local v=i>0 local e=v and u>a and n or 0 local R=C>0 or J or e>0 local g=R and A and z>0 and z or E if C>0 then if C<=a or C>4e15 or g==0 then return{'closed',a}end return{'granted',a,g,C-a,math.max(e,1)}end if R and ARGV[6]=='0'then return{'not_reentrant',a,f-a}end if e>=64 then return{'too_many_holds',a}end if H>0 and not J then for H,b in ipairs(redis.call('ZRANGEBYSCORE',d,X(a),-4.5e15,'LIMIT',0,math.max(50-#G,0)))do if b~='r'..p then table.insert(G,b)end end return T(l,'r')end if not R then if o>a and m>=X(a)then return T(f)end if not v then E=0 end if A or not v then z=0 end g=E end if g==0 then h=math.max(h+1,a)g,E=h,h end if m<0 then table.insert(G,'r'..p)end f=math.max(f,c,i)local q={string.format('%.0f',c),b}if r~=''then q[3],q[4]=ad(n+1,math.max(u,c)),'o'..r end if O~=''then\n" + requests + "table.insert(q,aq(a))table.insert(q,'t'..k)end local j=ac(nil,q)if j then redis.call('ZREM',d,b,'t'..k)if r~=''then redis.call('ZADD',d,ad(n,u),'o'..r)end return j end return{'granted',a,g,c-a,e+1}end if e=='steal'then\n" + close_all + "l('F')H,o=0,0 elseif H>0 then if not A then if D>0 then V()end return T(l,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,l-a}end if H==64 then return{'too_many_holds',a}end elseif j then local i=af()if i>0 then f=math.max(f,i)V()local p,u=ah(w[3])if u>a and p>t[r]then return{'upgrade_refused',a}end return T(i,'w')end local b=W()if b>0 then return T(b,'w')end end if e~='steal'then ag(p)end if H==0 then h=math.max(h+1,a)z,E,R,U=h,0,r,O end n[k],f=c,math.max(f,c)I()if m then redis.call('UNLINK',d)elseif e=='steal'then\n" + oust + "if j then P()end r()end y()if j and not m and e~='steal'then P(redis.pcall)redis.pcall('ZREM',d,'w'..p)end return{'granted',a,z,c-a,H+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["fd3405addae0cd3bfcf5be82d5004909188a56b7", "933df8179b21fca9637482e87d285d8ff111cc7e"];
