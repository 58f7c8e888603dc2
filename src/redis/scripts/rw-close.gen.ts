// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, last_end, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local s,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + members + accounts + last_end + rw + "local b,g=ARGV[1],tonumber(ARGV[2])local j,k=b:sub(1,36),b:match('^[^@]*',36+1)local o=j..(b:match('@.*')or'')local q=g==0 local p=u(j)if q and not p and y('rw')then return W(j,z)end local w=redis.call('ZMSCORE',i,b,'w'..o,'o'..k)local c,d,n=tonumber(w[1]or 0),ab(w[3])local A=c>a and c<4e15 local J=h=='none'or h=='rw'and x+C==0 local E=A and(g==x or g==C or J)if not p and(q or l[j]and f==g or E)then local Q,g={'w'..o,'r'..o},l[j]or A I(j,q and'C'or'R',z)p='R'if w[2]then at(o)end if A then d=d-1 table.insert(Q,b)table.insert(Q,'t'..j)if d<=0 then table.insert(Q,'o'..k)end end if d<=0 and k==D and not next(l)then x=0 end redis.call('ZREM',i,unpack(Q))if A and d>0 then redis.call('ZADD',i,af(d,n),'o'..k)end local r=V()e=h=='none'and r or math.min(e,math.max(a,L(),r,m,S()))if h=='rw'or r>0 then F()end N()local c=R(g and r==0)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,P(j,g,c>0 and not A and aa(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fe032c2b52fd9a8e8981e2bacaea9c6aad6ed950", "5e71ffa975509a24a8fadb7202cfcf0eac15daa1"];
