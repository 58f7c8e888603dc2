// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, last_end, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local s,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + members + accounts + last_end + rw + "local b,f=ARGV[1],tonumber(ARGV[2])local j,k=b:sub(1,36),b:match('^[^@]*',36+1)local o=j..(b:match('@.*')or'')local q=f==0 local p=u(j)if q and not p and z('rw')then return Z(j,y)end local w=redis.call('ZMSCORE',i,b,'w'..o,'o'..k)local c,d,n=tonumber(w[1]or 0),aa(w[3])local A=c>a and c<4e15 local J=h=='none'or h=='rw'and x+C==0 local E=A and(f==x or f==C or J)if not p and(q or m[j]and g==f or E)then local Q,f={'w'..o,'r'..o},m[j]or A I(j,q and'C'or'R',y)p='R'if w[2]then an(o)end if A then d=d-1 table.insert(Q,b)table.insert(Q,'t'..j)if d<=0 then table.insert(Q,'o'..k)end end if d<=0 and k==D and not next(m)then x=0 end redis.call('ZREM',i,unpack(Q))if A and d>0 then redis.call('ZADD',i,af(d,n),'o'..k)end local r=V()e=h=='none'and r or math.min(e,math.max(a,L(),r,l,S()))if h=='rw'or r>0 then F()end N()local c=R(f and r==0)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,P(j,f,c>0 and not A and ac(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["87ac2f065ec99a966476ce3c28e5fd9946381a05", "1f162b8e47cdc396a94359b17cb73ae4cb96ec30"];
