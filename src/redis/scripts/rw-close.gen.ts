// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, last_end, last_end_besides, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local t,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + members + accounts + last_end + rw + last_end_besides + "local b,g=ARGV[1],tonumber(ARGV[2])local k,l=b:sub(1,36),b:match('^[^@]*',36+1)local o=k..(b:match('@.*')or'')local r=g==0 local p=v(k)if r and not p and A('rw')then return Y(k,z)end local y=redis.call('ZMSCORE',i,b,'w'..o,'o'..l)local c,d,j=tonumber(y[1]or 0),ad(y[3])local E=c>a and c<4e15 local L=h=='none'or h=='rw'and B+D==0 local F=E and(g==B or g==D or L)local u=p and E and not A('rw')if u or not p and(r or m[k]and f==g or F)then local M,q,c={'w'..o,'r'..o},{},m[k]or E if not p then K(k,r and'C'or'R',z)end p='R'if y[2]then aj(o)end if E then d=d-1 table.insert(M,b)table.insert(M,'t'..k)if d>0 then q={ac(d,j),'o'..l,ag(a),b}else table.insert(M,'o'..l)end end if d<=0 and l==P and not next(m)then B=0 end local s=ah({b})e=h=='none'and s or math.min(e,math.max(a,N(),s,n,U(o)))if h=='rw'or s>0 then G()end O()local u=T(c and s==0)if u then return u end if#q>0 then redis.call('ZADD',i,unpack(q))end redis.call('ZREM',i,unpack(M))end if r or p=='R'then return{'closed',a}end return{'lost',a,R(k,g,c>0 and not E and ae(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f8c37994beb11829bd6aae03b38bb24348adac6c", "528ca62b986942e0e69eaccfdef2a5936161cdbd"];
