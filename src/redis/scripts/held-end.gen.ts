// Generated from lua/held-end.lua by tools/build-lua.ts; do not edit.
import { clock, ending, listen, lock, once, record, usual_tenure, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HeldEndReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const heldEnd: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ttl: string | number, result: string | number, kept: string | number, run: string | number, hold: string | number, holdToken: string | number], HeldEndReply> = {
  lua: clock + "local r={KEYS[1],KEYS[2],KEYS[3]}local P=redis.call('MGET',unpack(r))local b,f,v,x=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local t,n,d,aa,K=f==0,ARGV[6]~='',b,f,nil for j=2,1,-1 do local L,w=r[j],P[j]\n" + record + ending + vacate + listen + wake + "local m=j==2 and'once'or'lock'if j==1 and ARGV[9]~=''then d,aa=ARGV[9],tonumber(ARGV[10])end local E,q,c=l[d],y(d),D(m)local e=E and h==aa and not c if e or t and not q and g<math.huge then Q(d,t and'C'or'R',x)end if j==2 then\n" + once + "if not n then if t and E then j=j-1 end elseif e or q=='E'and h==f and j>0 then r,o,g,S=b,ARGV[6]:sub(2),a+ARGV[5]*1000,true elseif r~=b then K=T(b,f)end if not c then F()if j==0 then g,B=0,''end end else\n" + lock + usual_tenure + "if e then k(a-aa)end if not c then if not next(l)then g=math.min(g,a)end F()end if not(t or n or e or q=='R')then K=T(d,aa,nil,'unknown')end end if S then if j==2 and n then ah()elseif not next(l)then Z(1)end local A=X(E and not n)if A then return A end end end local e,g,k,p=(P[3]or'fence 1 0 0 0 '):match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if ARGV[8]~=''and e and f>=tonumber(e)and not(K and n)then local c=string.format('fence 1 %.0f %s %s ',f,g,k)..p:sub(1,k)local function d()return redis.pcall('SET',KEYS[3],c..ARGV[8],'PX',ARGV[7],'GET')end local a=d()if a and a.err and redis.pcall('PEXPIRE',KEYS[3],ARGV[7])==1 then d()end end if K then return{'lost',a,K}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["7d47073a4520838e4c347dd2d0a7681ec5330369", "8ab721f85dda7a52660ca1ca5acf211e692e09bb"];
