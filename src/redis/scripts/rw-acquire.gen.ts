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
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + oust + accounts + rw + requests + "local b,k=ARGV[2],ARGV[5]local j,o,P=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local c,I=a+ARGV[3]*1000,ARGV[7]*1000 if z('rw')then return{'kind',a,h}end if u(j)then return{'closed',a}end local m,G=M()if l[j]then return{'granted',a,t,l[j]-a,G}end local y,ab=o~=''and o==E,g>a or h=='none'local K=G>0 and y local d=h~='rw'and h~='none'\n" + rw_expired + "local function R(b,c)if I>0 and c then local y=a+I+1000000 g=math.max(g,y)if c=='w'then n=math.max(n,y)end if p[o]>0 then aa(o,v[3])end local d=tonumber(v[c=='r'and 2 or 4]or 0)local b=c=='r'and ae(y)or-y ai(#e==0 and'LT'or nil,{string.format('%.0f',math.min(b,d)),c..j})end return{'held',a,b-a,math.max(a-f,0),I}end if k=='read'then Y()local w,k=tonumber(v[1]or 0),tonumber(v[2]or 0)local h,q=S(v[3])h=math.max(h-p[o],0)local r=(G==0 or K)and af()>0 local d=r and q>a and h or 0 local Q=w>0 or K or d>0 local e=Q and y and t>0 and t or B if w>0 then if w<=a or w>4e15 or e==0 then return{'closed',a}end return{'granted',a,e,w-a,math.max(d,1)}end if Q and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if d>=64 then return{'too_many_holds',a}end if G>0 and not K then for E,d in ipairs(redis.call('ZRANGEBYSCORE',i,ae(a),-4.5e15,'LIMIT',0,math.max(50-#C,0)))do if d~='r'..j then table.insert(C,d)end end return R(m,'r')end if not Q then if n>a and k>=ae(a)then return R(g)end if not r then B=0 end if y or not r then t=0 end e=B end if e==0 then f=math.max(f+1,a)e,B=f,f end if k<0 then table.insert(C,'r'..j)end g=math.max(g,c)local l={string.format('%.0f',c),b}if o~=''then l[3],l[4]=ad(h+1,math.max(q,c)),'o'..o end if P~=''then table.insert(l,ak(a))table.insert(l,'t'..j)end ai(nil,l)return{'granted',a,e,c-a,d+1}end if k=='steal'then if not d then w()end X('F')G,n=0,0 elseif G>0 then if not y then if I>0 then Y()end return R(m,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,m-a}end if G==64 then return{'too_many_holds',a}end elseif ab then local c=af()if c>0 then Y()local t,q=S(v[3])if q>a and t>p[o]then return{'upgrade_refused',a}end return R(c,'w')end local b=N()if b>0 then return R(b,'w')end end if k~='steal'then al(j)end if G==0 then f=math.max(f+1,a)t,B,E,Q=f,0,o,P end l[j],g=c,math.max(g,c)D()x()if d then redis.call('UNLINK',i)elseif ab then redis.call('ZREM',i,'w'..j)O()end return{'granted',a,t,c-a,G+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["1c947e934e25ee63778d812532359abffa08289b", "746c59f657ea1bb7d0d5b6646daf0b27113d0dd5"];
