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
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + oust + accounts + rw + requests + "local b,f=ARGV[2],ARGV[5]local j,o,R=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local c,J=a+ARGV[3]*1000,ARGV[7]*1000 if z('rw')then return{'kind',a,h}end if t(j)then return{'closed',a}end local m,H=L()if l[j]then return{'granted',a,v,l[j]-a,H}end local y,k=o~=''and o==B,g>a or h=='none'local P=H>0 and y local d=h~='rw'and h~='none'\n" + rw_expired + "local function W(b,c)if J>0 and c then local y=a+J+1000000 g=math.max(g,y)if c=='w'then n=math.max(n,y)end if p[o]>0 then Q(o,u[3])end local d=tonumber(u[c=='r'and 2 or 4]or 0)local b=c=='r'and ad(y)or-y ai(#O==0 and'LT'or nil,{string.format('%.0f',math.min(b,d)),c..j})end return{'held',a,b-a,math.max(a-e,0),J}end if f=='read'then aa()local B,k=tonumber(u[1]or 0),tonumber(u[2]or 0)local h,q=X(u[3])h=math.max(h-p[o],0)local r=(H==0 or P)and ae()>0 local f=r and q>a and h or 0 local Q=B>0 or P or f>0 local d=Q and y and v>0 and v or x if B>0 then if B<=a or B>4e15 or d==0 then return{'closed',a}end return{'granted',a,d,B-a,math.max(f,1)}end if Q and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if f>=64 then return{'too_many_holds',a}end if H>0 and not P then for E,d in ipairs(redis.call('ZRANGEBYSCORE',i,ad(a),-4.5e15,'LIMIT',0,math.max(50-#C,0)))do if d~='r'..j then table.insert(C,d)end end return W(m,'r')end if not Q then if n>a and k>=ad(a)then return W(g)end if not r then x=0 end if y or not r then v=0 end d=x end if d==0 then e=math.max(e+1,a)d,x=e,e end if k<0 then table.insert(C,'r'..j)end g=math.max(g,c)local l={string.format('%.0f',c),b}if o~=''then l[3],l[4]=ac(h+1,math.max(q,c)),'o'..o end if R~=''then table.insert(l,ak(a))table.insert(l,'t'..j)end ai(nil,l)return{'granted',a,d,c-a,f+1}end if f=='steal'then if not d then Z()end V('F')H,n=0,0 elseif H>0 then if not y then if J>0 then aa()end return W(m,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,m-a}end if H==64 then return{'too_many_holds',a}end elseif k then local c=ae()if c>0 then aa()local x,q=X(u[3])if q>a and x>p[o]then return{'upgrade_refused',a}end return W(c,'w')end local b=M()if b>0 then return W(b,'w')end end if f~='steal'then al(j)end if H==0 then e=math.max(e+1,a)v,x,B,E=e,0,o,R end l[j],g=c,math.max(g,c)D()w()if d then redis.call('UNLINK',i)elseif k then redis.call('ZREM',i,'w'..j)N()end return{'granted',a,v,c-a,H+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["f69dabf695fc8574ff8c7ca45f4b8829a2d42d7d", "60d265ffe41b1db430fcd606d011f596b3e3ca9e"];
