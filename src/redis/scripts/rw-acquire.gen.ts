// Generated from lua/rw-acquire.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, fresh, oust, read_name, record, requests, rw, rw_expired } from "../parts.gen.ts";
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
  lua: "local r=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + crowd + oust + accounts + rw + requests + "local b,k=ARGV[2],ARGV[5]local j,p,P=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local o=j..(P~=''and'@'..P or'')local c,J=a+ARGV[3]*1000,ARGV[7]*1000 if z('rw')then return{'kind',a,h}end if u(j)then return{'closed',a}end local n,O=L()if m[j]then return{'granted',a,w,m[j]-a,O}end local y,ac=p~=''and p==D,g>a or h=='none'local Q=O>0 and y local d=h~='rw'and h~='none'\n" + rw_expired + "local function S(b,c)if J>0 and c then local y=a+J+1000000 g=math.max(g,y)if c=='w'then l=math.max(l,y)end if q[p]>0 then X(p,v[3])end local b=tonumber(v[c=='r'and 2 or 4]or 0)local f=c=='r'and af(y)or-y aj(#e==0 and'LT'or nil,{string.format('%.0f',math.min(f,b)),c..o})end return{'held',a,b-a,math.max(a-f,0),J,J>0 and c=='r'and 1 or 0}end if k=='read'then ab()local A,k=tonumber(v[1]or 0),tonumber(v[2]or 0)local h,r=Z(v[3])h=math.max(h-q[p],0)local s=(O==0 or Q)and ag()>0 local d=s and r>a and h or 0 local X=A>0 or Q or d>0 local e=X and y and w>0 and w or C if A>0 then if A<=a or A>4e15 or e==0 then return{'closed',a}end return{'granted',a,e,A-a,math.max(d,1)}end if X and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if d>=64 then return{'too_many_holds',a}end if O>0 and not Q then for C,b in ipairs(redis.call('ZRANGEBYSCORE',i,af(a),-4.5e15,'LIMIT',0,math.max(50-#M,0)))do if b~='r'..o then table.insert(M,b)end end return S(n,'r')end if not X then if l>a and k>=af(a)then return S(g)end if not s then C=0 end if y or not s then w=0 end e=C end if e==0 then f=math.max(f+1,a)e,C=f,f end if k<0 then table.insert(M,'r'..o)end g=math.max(g,c)local m={string.format('%.0f',c),b}if p~=''then m[3],m[4]=ae(h+1,math.max(r,c)),'o'..p end if P~=''then table.insert(m,al(a))table.insert(m,'t'..j)end aj(nil,m)return{'granted',a,e,c-a,d+1}end if k=='steal'then if not d then A()end Y('F')O,l=0,0 elseif O>0 then if not y then if J>0 then ab()end return S(n,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,n-a}end if O==64 then return{'too_many_holds',a}end elseif ac then local c=ag()if c>0 then ab()local o,r=Z(v[3])if r>a and o>q[p]then return{'upgrade_refused',a}end return S(c,'w')end local b=R()if b>0 then return S(b,'w')end end if k~='steal'then am(o)end if O==0 then f=math.max(f+1,a)w,C,D,H=f,0,p,P end m[j],g=c,math.max(g,c)E()x()if d then redis.call('UNLINK',i)elseif ac then redis.call('ZREM',i,'w'..o)N()end return{'granted',a,w,c-a,O+1}",
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
export const sha: readonly [plain: string, flagged: string] = ["f4daaf0b5942e9096cc9f2bd56a76f96f2d44322", "e54d7aec9fddb96546333a7913c26252818258e0"];
