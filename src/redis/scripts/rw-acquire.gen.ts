// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, close_all, crowd, ended, ending, fresh, last_end, oust, read_name, record, requests, rw, rw_expired, superseded } from "../parts.gen.ts";
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
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + accounts + last_end + rw + ended + "local b,e=ARGV[2],ARGV[5]local l,p,R=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local o=l..(R~=''and'@'..R or'')local c,L=a+ARGV[3]*1000,ARGV[7]*1000 if B('rw')then return{'kind',a,i}end if e=='steal'then\n" + ending + superseded + "local c=d(l,ARGV[8])if c then M()return{'superseded',a,c}end end if v(l)then return M()end local k,E=N()if n[l]then return{'granted',a,z,n[l]-a,E}end local A,u=p~=''and p==P,f>a or i=='none'local T=E>0 and A local m=i~='rw'and i~='none'\n" + rw_expired + "local function V(b,c)if L>0 and c then local A=a+L+1000000 f=math.max(f,A)if c=='w'then j=math.max(j,A)end if r[p]>0 then Y(p,y[3])end local b=tonumber(y[c=='r'and 2 or 4]or 0)local g=c=='r'and af(A)or-A local q={string.format('%.0f',math.min(g,b)),c..o}local u=ae(#h==0 and'LT'or nil,q)if u then return u end end return{'held',a,b-a,math.max(a-g,0),L,L>0 and c=='r'and 1 or 0}end if e=='read'then ab()local C,m=tonumber(y[1]or 0),tonumber(y[2]or 0)local n,s=ad(y[3])n=math.max(n-r[p],0)local i=(E==0 or T)and aa()or 0 local w=i>0 local e=w and s>a and n or 0 local Y=C>0 or T or e>0 local h=Y and A and z>0 and z or D if C>0 then if C<=a or C>4e15 or h==0 then return{'closed',a}end return{'granted',a,h,C-a,math.max(e,1)}end if Y and ARGV[6]=='0'then return{'not_reentrant',a,f-a}end if e>=64 then return{'too_many_holds',a}end if E>0 and not T then for E,b in ipairs(redis.call('ZRANGEBYSCORE',d,af(a),-4.5e15,'LIMIT',0,math.max(50-#F,0)))do if b~='r'..o then table.insert(F,b)end end return V(k,'r')end if not Y then if j>a and m>=af(a)then return V(f)end if not w then D=0 end if A or not w then z=0 end h=D end if h==0 then g=math.max(g+1,a)h,D=g,g end if m<0 then table.insert(F,'r'..o)end f=math.max(f,c,i)local q={string.format('%.0f',c),b}if p~=''then q[3],q[4]=ac(n+1,math.max(s,c)),'o'..p end if R~=''then\n" + requests + "table.insert(q,an(a))table.insert(q,'t'..l)end local u=ae(nil,q)if u then redis.call('ZREM',d,b,'t'..l)if p~=''then redis.call('ZADD',d,ac(n,s),'o'..p)end return u end return{'granted',a,h,c-a,e+1}end if e=='steal'then\n" + close_all + "k('F')E,j=0,0 elseif E>0 then if not A then if L>0 then ab()end return V(k,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,k-a}end if E==64 then return{'too_many_holds',a}end elseif u then local i=aa()if i>0 then f=math.max(f,i)ab()local o,s=ad(y[3])if s>a and o>r[p]then return{'upgrade_refused',a}end return V(i,'w')end local b=U()if b>0 then return V(b,'w')end end if e~='steal'then aj(o)end if E==0 then g=math.max(g+1,a)z,D,P,S=g,0,p,R end n[l],f=c,math.max(f,c)G()if m then redis.call('UNLINK',d)elseif e=='steal'then\n" + oust + "if u then O()end p()end x()if u and not m and e~='steal'then O(redis.pcall)redis.pcall('ZREM',d,'w'..o)end return{'granted',a,z,c-a,E+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["e1b2a235918c302c52ba368076051a6b60d1b045", "a055274c6c7a1e440e47e73edd48408be06028a2"];
