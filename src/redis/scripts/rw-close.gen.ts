// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, failed, keep, last_end, last_end_besides, listen, members, read_name, record, rw, vacate, wake, wake_side } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local v,x=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + members + accounts + last_end + rw + last_end_besides + listen + wake + wake_side + "local b,f=ARGV[1],tonumber(ARGV[2])local k,m=b:sub(1,36),b:match('^[^@]*',36+1)local r=k..(b:match('@.*')or'')local t=f==0 local q=y(k)if t and not q and D('rw')then return Y(k,x)end local z=redis.call('ZMSCORE',e,b,'w'..r,'o'..m)local c,d,n=tonumber(z[1]or 0),ab(z[3])local E=c>a and c<4e15 local P=i=='none'or i=='rw'and C+J==0 local K=E and(f==C or f==J or P)local j=q and E and not D('rw')if j or not q and(t or l[k]and h==f or K)then local U,u,c={'w'..r,'r'..r},{},l[k]or E if not q then Q(k,t and'C'or'R',x)end q='R'if z[2]then al(r)end if E then d=d-1 table.insert(U,b)table.insert(U,'t'..k)if d>0 then u={aa(d,n),'o'..m,ai(a),b}else table.insert(U,'o'..m)end end if d<=0 and m==M and not next(l)then C=0 end local p=ar({b})g=i=='none'and p or math.min(g,math.max(a,R(),p,o,I(r)))if i=='rw'or p>0 then F()end W(k)if not next(l)then H(p,r)end V()local j=X(c and p==0)if j then return j end if#u>0 then redis.call('ZADD',e,unpack(u))end redis.call('ZREM',e,unpack(U))end if t or q=='R'then return{'closed',a}end return{'lost',a,T(k,f,c>0 and not E and aj(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["87eaa3014944b23008e42549da0509eb4d44c6e7", "41b78bb19f74a689f60bfcce8b12deeb7210f284"];
