// Generated from lua/held-end.lua by tools/build-lua.ts; do not edit.
import { clock, ending, listen, lock, once, record, usual_tenure, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HeldEndReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const heldEnd: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ttl: string | number, result: string | number, kept: string | number, run: string | number, hold: string | number, holdToken: string | number], HeldEndReply> = {
  lua: clock + "local q={KEYS[1],KEYS[2],KEYS[3]}local Q=redis.call('MGET',unpack(q))local b,f,w,A=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local u,d,k,Y,P=f==0,ARGV[6]~='',b,f,nil local n for i=2,1,-1 do local M,y=q[i],Q[i]\n" + record + ending + vacate + listen + wake + "local m=i==2 and'once'or'lock'if i==1 and ARGV[9]~=''then k,Y=ARGV[9],tonumber(ARGV[10])end local G,t,c=l[k],x(k),E(m)local e=G and g==Y and not c and not n if e or u and not t and h<math.huge then S(k,u and'C'or'R',A)end if i==2 then\n" + once + "if not d then if u and G then i=i-1 end elseif e or t=='E'and g==f and i>0 then r,p,h,T=b,ARGV[6]:sub(2),a+ARGV[5]*1000,true elseif r~=b then P=U(b,f)end n=not c and next(l)~=nil if not c then H()if i==0 then h,D=0,''end end else\n" + lock + usual_tenure + "if e then n(a-Y)end if not c then if not next(l)then h=math.min(h,a)end H()end if not(u or d or e or t=='R')then P=U(k,Y,nil,'unknown')end end if T then if i==2 and d then ah()elseif not next(l)then ac(1)end local B=Z(G and not d)if B then return B end end end local p,e,t,o=(Q[3]or'fence 1 0 0 0 '):match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if ARGV[8]~=''and p and f>=tonumber(p)and not(P and d)then local c=string.format('fence 1 %.0f %s %s ',f,e,t)..o:sub(1,t)local function d()return redis.pcall('SET',KEYS[3],c..ARGV[8],'PX',ARGV[7],'GET')end local a=d()if a and a.err and redis.pcall('PEXPIRE',KEYS[3],ARGV[7])==1 then d()end end if P then return{'lost',a,P}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3a2f1a878c43ddb26fe2079c39ebb35e6e0643ff", "8d86aeb630a9a05d15c43f22a0d162ae48667968"];
