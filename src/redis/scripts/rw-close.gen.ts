// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + members + accounts + rw + "local b,d=ARGV[1],tonumber(ARGV[2])local j,k=b:sub(1,36),b:match('^[^@]*',36+1)local p=d==0 local o=t(j)if p and not o and z('rw')then return W(j,y)end local u=redis.call('ZMSCORE',i,b,'w'..j,'o'..k)local c,f,m=tonumber(u[1]or 0),X(u[3])local C=c>a and c<4e15 if not o and(p or l[j]and e==d or C and(d==v or d==x))then local P,d={'w'..j,'r'..j},l[j]or C I(j,p and'C'or'R',y)o='R'if u[2]then al(j)end if C then f=f-1 table.insert(P,b)table.insert(P,'t'..j)if f<=0 then table.insert(P,'o'..k)end end if f<=0 and k==B and not next(l)then v=0 end redis.call('ZREM',i,unpack(P))if C and f>0 then redis.call('ZADD',i,ac(f,m),'o'..k)end local r=ae()g=math.min(g,math.max(a,L(),r,n,M()))if h=='rw'then D()end N()local c=Q(d and r==0)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,O(j,d,c>0 and not C and Z(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["db8fc1a42e7efda1b9dc584ed1e3de1cc6cee66e", "fb1a56f8c454ee7d245f1c1e0371821c927d8e35"];
