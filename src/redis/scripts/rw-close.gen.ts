// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, last_end, last_end_besides, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local t,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + members + accounts + last_end + rw + last_end_besides + "local b,h=ARGV[1],tonumber(ARGV[2])local l,m=b:sub(1,36),b:match('^[^@]*',36+1)local o=l..(b:match('@.*')or'')local r=h==0 local p=v(l)if r and not p and B('rw')then return Y(l,A)end local y=redis.call('ZMSCORE',d,b,'w'..o,'o'..m)local c,e,k=tonumber(y[1]or 0),ad(y[3])local E=c>a and c<4e15 local L=i=='none'or i=='rw'and z+D==0 local F=E and(h==z or h==D or L)local u=p and E and not B('rw')if u or not p and(r or n[l]and g==h or F)then local M,q,c={'w'..o,'r'..o},{},n[l]or E if not p then K(l,r and'C'or'R',A)end p='R'if y[2]then aj(o)end if E then e=e-1 table.insert(M,b)table.insert(M,'t'..l)if e>0 then q={ac(e,k),'o'..m,ag(a),b}else table.insert(M,'o'..m)end end if e<=0 and m==P and not next(n)then z=0 end local s=ah({b})f=i=='none'and s or math.min(f,math.max(a,N(),s,j,U(o)))if i=='rw'or s>0 then G()end O()local u=T(c and s==0)if u then return u end if#q>0 then redis.call('ZADD',d,unpack(q))end redis.call('ZREM',d,unpack(M))end if r or p=='R'then return{'closed',a}end return{'lost',a,R(l,h,c>0 and not E and ae(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["abc2edaa34133708dadf4ca8790229542769a5c7", "30d917a1f434ddec17bbac59d4829a625c04ece0"];
