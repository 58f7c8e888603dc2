// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, last_end, last_end_besides, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local s,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + members + accounts + last_end + rw + last_end_besides + "local b,g=ARGV[1],tonumber(ARGV[2])local k,l=b:sub(1,36),b:match('^[^@]*',36+1)local o=k..(b:match('@.*')or'')local q=g==0 local p=v(k)if q and not p and A('rw')then return Y(k,z)end local y=redis.call('ZMSCORE',i,b,'w'..o,'o'..l)local c,d,j=tonumber(y[1]or 0),ad(y[3])local E=c>a and c<4e15 local L=h=='none'or h=='rw'and B+D==0 local F=E and(g==B or g==D or L)local t=p and E and not A('rw')if t or not p and(q or m[k]and f==g or F)then local M,c={'w'..o,'r'..o},m[k]or E if not p then K(k,q and'C'or'R',z)end p='R'if y[2]then aj(o)end if E then d=d-1 table.insert(M,b)table.insert(M,'t'..k)if d<=0 then table.insert(M,'o'..l)end end if d<=0 and l==P and not next(m)then B=0 end local r=ah({b})e=h=='none'and r or math.min(e,math.max(a,N(),r,n,U(o)))if h=='rw'or r>0 then G()end O()local t=T(c and r==0)if t then return t end if E and d>0 then redis.call('ZADD',i,ac(d,j),'o'..l,ag(a),b)end redis.call('ZREM',i,unpack(M))end if q or p=='R'then return{'closed',a}end return{'lost',a,R(k,g,c>0 and not E and ae(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e6c31c983d04f8c71415e8bb790e21d1917581fc", "deff0468200ba0c1e3aadaa7d78788037deee2df"];
