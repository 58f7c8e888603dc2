// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, ended, fresh, last_end, oust, read_name, record, requests, rw, rw_expired } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly back: number; readonly placed: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "upgrade_refused"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, mode: string | number, reentrant: string | number, back: string | number], RwAcquireReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + oust + accounts + last_end + rw + requests + ended + "local b,k=ARGV[2],ARGV[5]local j,p,Q=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local o=j..(Q~=''and'@'..Q or'')local c,J=a+ARGV[3]*1000,ARGV[7]*1000 if z('rw')then return{'kind',a,h}end if u(j)then return R()end local n,P=L()if m[j]then return{'granted',a,x,m[j]-a,P}end local y,ai=p~=''and p==D,e>a or h=='none'local T=P>0 and y local d=h~='rw'and h~='none'\n" + rw_expired + "local function Z(b,c)if J>0 and c then local y=a+J+1000000 e=math.max(e,y)if c=='w'then l=math.max(l,y)end if q[p]>0 then ad(p,w[3])end local b=tonumber(w[c=='r'and 2 or 4]or 0)local g=c=='r'and ag(y)or-y ak(#f==0 and'LT'or nil,{string.format('%.0f',math.min(g,b)),c..o})end return{'held',a,b-a,math.max(a-g,0),J,J>0 and c=='r'and 1 or 0}end if k=='read'then ac()local A,k=tonumber(w[1]or 0),tonumber(w[2]or 0)local r,s=aa(w[3])r=math.max(r-q[p],0)local h=(P==0 or T)and V()or 0 local t=h>0 local d=t and s>a and r or 0 local R=A>0 or T or d>0 local f=R and y and x>0 and x or C if A>0 then if A<=a or A>4e15 or f==0 then return{'closed',a}end return{'granted',a,f,A-a,math.max(d,1)}end if R and ARGV[6]=='0'then return{'not_reentrant',a,e-a}end if d>=64 then return{'too_many_holds',a}end if P>0 and not T then for C,b in ipairs(redis.call('ZRANGEBYSCORE',i,ag(a),-4.5e15,'LIMIT',0,math.max(50-#E,0)))do if b~='r'..o then table.insert(E,b)end end return Z(n,'r')end if not R then if l>a and k>=ag(a)then return Z(e)end if not t then C=0 end if y or not t then x=0 end f=C end if f==0 then g=math.max(g+1,a)f,C=g,g end if k<0 then table.insert(E,'r'..o)end e=math.max(e,c,h)local m={string.format('%.0f',c),b}if p~=''then m[3],m[4]=af(r+1,math.max(s,c)),'o'..p end if Q~=''then table.insert(m,am(a))table.insert(m,'t'..j)end ak(nil,m)return{'granted',a,f,c-a,d+1}end if k=='steal'then if not d then A()end Y('F')P,l=0,0 elseif P>0 then if not y then if J>0 then ac()end return Z(n,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,n-a}end if P==64 then return{'too_many_holds',a}end elseif ai then local h=V()if h>0 then e=math.max(e,h)ac()local o,s=aa(w[3])if s>a and o>q[p]then return{'upgrade_refused',a}end return Z(h,'w')end local b=S()if b>0 then return Z(b,'w')end end if k~='steal'then an(o)end if P==0 then g=math.max(g+1,a)x,C,D,M=g,0,p,Q end m[j],e=c,math.max(e,c)F()v()if d then redis.call('UNLINK',i)elseif ai then redis.call('ZREM',i,'w'..o)N()end return{'granted',a,x,c-a,P+1}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", back: "integer", placed: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    upgrade_refused: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5bf115ff6c5d74cbe2c960fdf14156146ce29a5a", "edbd7cabbffe47b6a321c6147251c083d31e32c8"];
