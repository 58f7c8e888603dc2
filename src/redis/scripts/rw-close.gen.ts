// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, members, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local t,k=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + accounts + rw + "local b,e=ARGV[1],tonumber(ARGV[2])local j,m=b:sub(1,36),b:match('^[^@]*',37)local p=e==0 local o=y(j)if p and not o and A('rw')then return V(j,k)end local v=redis.call('ZMSCORE',i,b,'w'..j,'o'..m)local c,d,r=tonumber(v[1]or 0),C(v[3])local u=c>a and c<4e15 if not o and(p or l[j]and f==e or u and(e==w or e==z))then local Q,e={'w'..j,'r'..j},l[j]or u E(j,p and'C'or'R',k)o='R'if v[2]then ae(j)end if u then d=d-1 table.insert(Q,b)table.insert(Q,'t'..j)if d<=0 then table.insert(Q,'o'..m)end end if d<=0 and m==B and not next(l)then w=0 end redis.call('ZREM',i,unpack(Q))if u and d>0 then redis.call('ZADD',i,Z(d,r),'o'..m)end local s=aa()g=math.min(g,math.max(a,J(),s,n,M()))if h=='rw'then D()end O()local c=S(e and s==0)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(j,e,c>0 and not u and X(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["bec052fd46c2d5c49bab9a8ec74f8796a56e6402", "baa82c3fae0239e8102e905b33c902334a8a37bc"];
