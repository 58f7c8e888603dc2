// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, close_all, crowd, ended, ending, failed, fresh, keep, last_end, listen, oust, read_name, record, requests, rw, rw_expired, superseded } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly back: number; readonly placed: number; readonly listed: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "upgrade_refused"; readonly now: number }
  | { readonly status: "superseded"; readonly now: number; readonly reason: string }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, mode: string | number, reentrant: string | number, back: string | number, after: string | number, listens: string | number], RwAcquireReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + keep + failed + accounts + last_end + rw + ended + listen + "local b,e=ARGV[2],ARGV[5]local k,t,Y=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local r=k..(Y~=''and'@'..Y or'')local c,m=a+ARGV[3]*1000,ARGV[7]*1000 if E('rw')then return{'kind',a,j}end if e=='steal'then\n" + ending + superseded + "local c=d(k,ARGV[8])if c then G()return{'superseded',a,c}end end if x(k)then return G()end local n,L=R()if l[k]then return{'granted',a,F,l[k]-a,L}end local A,i=t~=''and t==J,h>a or j=='none'local U=L>0 and A local f=j~='rw'and j~='none'\n" + rw_expired + "local function ac(b,c)local v,q=ae(k,ARGV[9],e=='read'and'r'or'w')if m>0 and c then local A=a+m+1000000 h=math.max(h,A)if c=='w'then p=math.max(p,A)end if u[t]>0 then Z(t,z[3])end local b=tonumber(z[c=='r'and 2 or 4]or 0)local g=c=='r'and ad(A)or-A local q={string.format('%.0f',math.min(g,b)),c..r}local i=ah(#C==0 and'LT'or nil,q)if i then return i end elseif q and B(s(redis.pcall))then v=0 end return{'held',a,b-a,math.max(a-g,0),m,m>0 and c=='r'and 1 or 0,v}end if e=='read'then ag()local J,C=tonumber(z[1]or 0),tonumber(z[2]or 0)local l,m=ai(z[3])l=math.max(l-u[t],0)local j=(L==0 or U)and al()or 0 local o=j>0 local e=o and m>a and l or 0 local Z=J>0 or U or e>0 local f=Z and A and F>0 and F or K if J>0 then if J<=a or J>4e15 or f==0 then return{'closed',a}end return{'granted',a,f,J-a,math.max(e,1)}end if Z and ARGV[6]=='0'then return{'not_reentrant',a,h-a}end if e>=64 then return{'too_many_holds',a}end if L>0 and not U then for C,b in ipairs(redis.call('ZRANGEBYSCORE',d,ad(a),-4.5e15,'LIMIT',0,math.max(50-#P,0)))do if b~='r'..r then table.insert(P,b)end end return ac(n,'r')end if not Z then if p>a and C>=ad(a)then return ac(h)end if not o then K=0 end if A or not o then F=0 end f=K end if f==0 then g=math.max(g+1,a)f,K=g,g end if C<0 then table.insert(P,'r'..r)end h=math.max(h,c,j)X(k)local q={string.format('%.0f',c),b}if t~=''then q[3],q[4]=aa(l+1,math.max(m,c)),'o'..t end if Y~=''then\n" + requests + "table.insert(q,aB(a))table.insert(q,'t'..k)end local i=ah(nil,q)if i then redis.call('ZREM',d,b,'t'..k)if t~=''then redis.call('ZADD',d,aa(l,m),'o'..t)end return i end return{'granted',a,f,c-a,e+1}end if e=='steal'then\n" + close_all + "n('F')L,p=0,0 elseif L>0 then if not A then if m>0 then ag()end return ac(n,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,n-a}end if L==64 then return{'too_many_holds',a}end elseif i then local j=al()if j>0 then h=math.max(h,j)ag()local r,m=ai(z[3])if m>a and r>u[t]then return{'upgrade_refused',a}end return ac(j,'w')end local b=Q()if b>0 then return ac(b,'w')end end if e~='steal'then am(r)end if L==0 then g=math.max(g+1,a)F,K,J,W=g,0,t,Y end l[k],h=c,math.max(h,c)X(k)H()if f then redis.call('UNLINK',d)elseif e=='steal'then\n" + oust + "if i then V()end q()end s()if i and not f and e~='steal'then V(redis.pcall)redis.pcall('ZREM',d,'w'..r)end return{'granted',a,F,c-a,L+1}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", back: "integer", placed: "integer", listed: "integer" },
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
export const sha: readonly [plain: string, flagged: string] = ["531ac1c6c61aa78fd81d4c83c351ebdd314b93f4", "c067b7165ba6474bd73c1988095f14ee2822663e"];
