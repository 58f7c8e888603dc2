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
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + keep + failed + accounts + last_end + rw + ended + "local b,e=ARGV[2],ARGV[5]local k,p,V=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local q=k..(V~=''and'@'..V or'')local c,D=a+ARGV[3]*1000,ARGV[7]*1000 if B('rw')then return{'kind',a,j}end if e=='steal'then\n" + ending + superseded + "local c=d(k,ARGV[8])if c then G()return{'superseded',a,c}end end if w(k)then return G()end local n,R=P()if l[k]then return{'granted',a,A,l[k]-a,R}end local z,i=p~=''and p==J,g>a or j=='none'local U=R>0 and z local f=j~='rw'and j~='none'\n" + rw_expired + "local function X(b,c)if D>0 and c then local z=a+D+1000000 g=math.max(g,z)if c=='w'then o=math.max(o,z)end if r[p]>0 then ae(p,y[3])end local b=tonumber(y[c=='r'and 2 or 4]or 0)local h=c=='r'and Y(z)or-z local s={string.format('%.0f',math.min(h,b)),c..q}local i=ag(#I==0 and'LT'or nil,s)if i then return i end end return{'held',a,b-a,math.max(a-h,0),D,D>0 and c=='r'and 1 or 0}end if e=='read'then ac()local E,m=tonumber(y[1]or 0),tonumber(y[2]or 0)local l,u=ad(y[3])l=math.max(l-r[p],0)local j=(R==0 or U)and af()or 0 local v=j>0 local e=v and u>a and l or 0 local S=E>0 or U or e>0 local f=S and z and A>0 and A or F if E>0 then if E<=a or E>4e15 or f==0 then return{'closed',a}end return{'granted',a,f,E-a,math.max(e,1)}end if S and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if e>=64 then return{'too_many_holds',a}end if R>0 and not U then for I,b in ipairs(redis.call('ZRANGEBYSCORE',d,Y(a),-4.5e15,'LIMIT',0,math.max(50-#H,0)))do if b~='r'..q then table.insert(H,b)end end return X(n,'r')end if not S then if o>a and m>=Y(a)then return X(g)end if not v then F=0 end if z or not v then A=0 end f=F end if f==0 then h=math.max(h+1,a)f,F=h,h end if m<0 then table.insert(H,'r'..q)end g=math.max(g,c,j)local s={string.format('%.0f',c),b}if p~=''then s[3],s[4]=W(l+1,math.max(u,c)),'o'..p end if V~=''then\n" + requests + "table.insert(s,aq(a))table.insert(s,'t'..k)end local i=ag(nil,s)if i then redis.call('ZREM',d,b,'t'..k)if p~=''then redis.call('ZADD',d,W(l,u),'o'..p)end return i end return{'granted',a,f,c-a,e+1}end if e=='steal'then\n" + close_all + "k('F')R,o=0,0 elseif R>0 then if not z then if D>0 then ac()end return X(n,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,n-a}end if R==64 then return{'too_many_holds',a}end elseif i then local j=af()if j>0 then g=math.max(g,j)ac()local q,u=ad(y[3])if u>a and q>r[p]then return{'upgrade_refused',a}end return X(j,'w')end local b=N()if b>0 then return X(b,'w')end end if e~='steal'then ai(q)end if R==0 then h=math.max(h+1,a)A,F,J,S=h,0,p,V end l[k],g=c,math.max(g,c)C()if f then redis.call('UNLINK',d)elseif e=='steal'then\n" + oust + "if i then T()end p()end x()if i and not f and e~='steal'then T(redis.pcall)redis.pcall('ZREM',d,'w'..q)end return{'granted',a,A,c-a,R+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["b0b406deff27b575a36d6e73abdd4936ca3d18df", "8bae930350252e5feff4f64e3038e5506939811b"];
