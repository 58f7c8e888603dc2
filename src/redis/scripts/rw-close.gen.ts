// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, failed, keep, last_end, last_end_besides, listen, members, read_name, record, rw, vacate, wake, wake_side } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local w,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + members + accounts + last_end + rw + last_end_besides + listen + wake + wake_side + "local b,f=ARGV[1],tonumber(ARGV[2])local k,m=b:sub(1,36),b:match('^[^@]*',36+1)local r=k..(b:match('@.*')or'')local u=f==0 local t=x(k)if u and not t and E('rw')then return Y(k,A)end local z=redis.call('ZMSCORE',d,b,'w'..r,'o'..m)local c,e,n=tonumber(z[1]or 0),ai(z[3])local C=c>a and c<4e15 local L=j=='none'or j=='rw'and F+K==0 local q=C and(f==F or f==K or L)local i=t and C and not E('rw')if i or not t and(u or l[k]and g==f or q)then local P,q,c={'w'..r,'r'..r},{},l[k]or C if not t then S(k,u and'C'or'R',A)end t='R'if z[2]then am(r)end if C then e=e-1 table.insert(P,b)table.insert(P,'t'..k)if e>0 then q={aa(e,n),'o'..m,aj(a),b}else table.insert(P,'o'..m)end end if e<=0 and m==J and not next(l)then F=0 end local o=an({b})h=j=='none'and o or math.min(h,math.max(a,R(),o,p,Q(r)))if j=='rw'or o>0 then H()end X(k)if not next(l)then G(o,r)end V()local i=Z(c and o==0)if i then return i end if#q>0 then redis.call('ZADD',d,unpack(q))end redis.call('ZREM',d,unpack(P))end if u or t=='R'then return{'closed',a}end return{'lost',a,U(k,f,c>0 and not C and ak(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["66fd89643a2613555ff9068b481a88c957e38566", "514ccbc4bd46d65f6060e7564e7eff0caa68f3de"];
