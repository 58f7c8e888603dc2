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
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + keep + failed + accounts + last_end + rw + ended + listen + "local b,d=ARGV[2],ARGV[5]local k,q,Y=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local r=k..(Y~=''and'@'..Y or'')local c,E=a+ARGV[3]*1000,ARGV[7]*1000 if D('rw')then return{'kind',a,i}end if d=='steal'then\n" + ending + superseded + "local c=d(k,ARGV[8])if c then H()return{'superseded',a,c}end end if y(k)then return H()end local n,P=R()if l[k]then return{'granted',a,C,l[k]-a,P}end local x,j=q~=''and q==M,g>a or i=='none'local X=P>0 and x local f=i~='rw'and i~='none'\n" + rw_expired + "local function Z(b,c)local u,H=ae(k,ARGV[9],d=='read'and'r'or'w')if E>0 and c then local x=a+E+1000000 g=math.max(g,x)if c=='w'then o=math.max(o,x)end if t[q]>0 then ah(q,z[3])end local b=tonumber(z[c=='r'and 2 or 4]or 0)local h=c=='r'and ac(x)or-x local u={string.format('%.0f',math.min(h,b)),c..r}local j=aj(#K==0 and'LT'or nil,u)if j then return j end elseif H and A(s(redis.pcall))then u=0 end return{'held',a,b-a,math.max(a-h,0),E,E>0 and c=='r'and 1 or 0,u}end if d=='read'then ag()local I,m=tonumber(z[1]or 0),tonumber(z[2]or 0)local l,p=ab(z[3])l=math.max(l-t[q],0)local i=(P==0 or X)and ak()or 0 local s=i>0 local d=s and p>a and l or 0 local U=I>0 or X or d>0 local f=U and x and C>0 and C or J if I>0 then if I<=a or I>4e15 or f==0 then return{'closed',a}end return{'granted',a,f,I-a,math.max(d,1)}end if U and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if d>=64 then return{'too_many_holds',a}end if P>0 and not X then for K,b in ipairs(redis.call('ZRANGEBYSCORE',e,ac(a),-4.5e15,'LIMIT',0,math.max(50-#T,0)))do if b~='r'..r then table.insert(T,b)end end return Z(n,'r')end if not U then if o>a and m>=ac(a)then return Z(g)end if not s then J=0 end if x or not s then C=0 end f=J end if f==0 then h=math.max(h+1,a)f,J=h,h end if m<0 then table.insert(T,'r'..r)end g=math.max(g,c,i)W(k)local u={string.format('%.0f',c),b}if q~=''then u[3],u[4]=aa(l+1,math.max(p,c)),'o'..q end if Y~=''then\n" + requests + "table.insert(u,az(a))table.insert(u,'t'..k)end local j=aj(nil,u)if j then redis.call('ZREM',e,b,'t'..k)if q~=''then redis.call('ZADD',e,aa(l,p),'o'..q)end return j end return{'granted',a,f,c-a,d+1}end if d=='steal'then\n" + close_all + "k('F')P,o=0,0 elseif P>0 then if not x then if E>0 then ag()end return Z(n,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,n-a}end if P==64 then return{'too_many_holds',a}end elseif j then local i=ak()if i>0 then g=math.max(g,i)ag()local r,p=ab(z[3])if p>a and r>t[q]then return{'upgrade_refused',a}end return Z(i,'w')end local b=I()if b>0 then return Z(b,'w')end end if d~='steal'then al(r)end if P==0 then h=math.max(h+1,a)C,J,M,U=h,0,q,Y end l[k],g=c,math.max(g,c)W(k)F()if f then redis.call('UNLINK',e)elseif d=='steal'then\n" + oust + "if j then V()end q()end s()if j and not f and d~='steal'then V(redis.pcall)redis.pcall('ZREM',e,'w'..r)end return{'granted',a,C,c-a,P+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["cb4a5eaad5a8c373048aecb63ec195896b26ab92", "7b98a5772b60f66618d669d85f920869831579bb"];
