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
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + accounts + last_end + rw + ended + "local b,d=ARGV[2],ARGV[5]local k,p,R=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local o=k..(R~=''and'@'..R or'')local c,L=a+ARGV[3]*1000,ARGV[7]*1000 if A('rw')then return{'kind',a,h}end if d=='steal'then\n" + ending + superseded + "local c=d(k,ARGV[8])if c then M()return{'superseded',a,c}end end if v(k)then return M()end local j,E=N()if m[k]then return{'granted',a,B,m[k]-a,E}end local z,u=p~=''and p==P,e>a or h=='none'local T=E>0 and z local l=h~='rw'and h~='none'\n" + rw_expired + "local function V(b,c)if L>0 and c then local z=a+L+1000000 e=math.max(e,z)if c=='w'then n=math.max(n,z)end if r[p]>0 then Y(p,y[3])end local b=tonumber(y[c=='r'and 2 or 4]or 0)local f=c=='r'and af(z)or-z local q={string.format('%.0f',math.min(f,b)),c..o}local u=ae(#g==0 and'LT'or nil,q)if u then return u end end return{'held',a,b-a,math.max(a-f,0),L,L>0 and c=='r'and 1 or 0}end if d=='read'then ab()local C,l=tonumber(y[1]or 0),tonumber(y[2]or 0)local m,s=ad(y[3])m=math.max(m-r[p],0)local h=(E==0 or T)and aa()or 0 local w=h>0 local d=w and s>a and m or 0 local Y=C>0 or T or d>0 local g=Y and z and B>0 and B or D if C>0 then if C<=a or C>4e15 or g==0 then return{'closed',a}end return{'granted',a,g,C-a,math.max(d,1)}end if Y and ARGV[6]=='0'then return{'not_reentrant',a,e-a}end if d>=64 then return{'too_many_holds',a}end if E>0 and not T then for E,b in ipairs(redis.call('ZRANGEBYSCORE',i,af(a),-4.5e15,'LIMIT',0,math.max(50-#F,0)))do if b~='r'..o then table.insert(F,b)end end return V(j,'r')end if not Y then if n>a and l>=af(a)then return V(e)end if not w then D=0 end if z or not w then B=0 end g=D end if g==0 then f=math.max(f+1,a)g,D=f,f end if l<0 then table.insert(F,'r'..o)end e=math.max(e,c,h)local q={string.format('%.0f',c),b}if p~=''then q[3],q[4]=ac(m+1,math.max(s,c)),'o'..p end if R~=''then\n" + requests + "table.insert(q,an(a))table.insert(q,'t'..k)end local u=ae(nil,q)if u then redis.call('ZREM',i,b,'t'..k)if p~=''then redis.call('ZADD',i,ac(m,s),'o'..p)end return u end return{'granted',a,g,c-a,d+1}end if d=='steal'then\n" + close_all + "j('F')E,n=0,0 elseif E>0 then if not z then if L>0 then ab()end return V(j,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,j-a}end if E==64 then return{'too_many_holds',a}end elseif u then local h=aa()if h>0 then e=math.max(e,h)ab()local o,s=ad(y[3])if s>a and o>r[p]then return{'upgrade_refused',a}end return V(h,'w')end local b=U()if b>0 then return V(b,'w')end end if d~='steal'then aj(o)end if E==0 then f=math.max(f+1,a)B,D,P,S=f,0,p,R end m[k],e=c,math.max(e,c)G()if l then redis.call('UNLINK',i)elseif d=='steal'then\n" + oust + "if u then O()end p()end x()if u and not l and d~='steal'then O(redis.pcall)redis.pcall('ZREM',i,'w'..o)end return{'granted',a,B,c-a,E+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["d67ba98c79c90aa7d77aa1150c906c2c78a43bdb", "29344d567a9ecbfed1592add4506734f6b43dcdf"];
