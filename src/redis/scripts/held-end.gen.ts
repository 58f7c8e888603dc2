// Generated from lua/held-end.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, once, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HeldEndReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const heldEnd: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number, ttl: string | number, result: string | number, kept: string | number, run: string | number, hold: string | number, holdToken: string | number], HeldEndReply> = {
  lua: clock + "local q={KEYS[1],KEYS[2],KEYS[3]}local N=redis.call('MGET',unpack(q))local b,f,t,z=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r,n,e,W,I=f==0,ARGV[6]~='',b,f,nil for i=2,1,-1 do local K,u=q[i],N[i]\n" + record + ending + vacate + "local m=i==2 and'once'or'lock'if i==1 and ARGV[9]~=''then e,W=ARGV[9],tonumber(ARGV[10])end local D,p,c=l[e],w(e),B(m)local d=D and h==W and not c if d or r and not p and g<math.huge then O(e,r and'C'or'R',z)end if i==2 then\n" + once + "if not n then if r and D then i=i-1 end elseif d or p=='E'and h==f and i>0 then q,o,g,Q=b,ARGV[6]:sub(2),a+ARGV[5]*1000,true elseif q~=b then I=R(b,f)end if not c then C()if i==0 then g,s=0,''end end else\n" + lock + usual_tenure + "if d then k(a-W)end if not c then if not next(l)then g=math.min(g,a)end C()end if not(r or n or d or p=='R')then I=R(e,W,nil,'unknown')end end if Q then local E=U(D and not n)if E then return E end end end local d,g,k,v=(N[3]or'fence 1 0 0 0 '):match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if ARGV[8]~=''and d and f>=tonumber(d)and not(I and n)then local b=string.format('fence 1 %.0f %s %s ',f,g,k)..v:sub(1,k)local function d()return redis.pcall('SET',KEYS[3],b..ARGV[8],'PX',ARGV[7],'GET')end local a=d()if a and a.err and redis.pcall('PEXPIRE',KEYS[3],ARGV[7])==1 then d()end end if I then return{'lost',a,I}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5765eb7475ff46e56f5e2f147744540d0ac6b713", "a62c6e46222aa11456dc0993647212c2b833a8ab"];
