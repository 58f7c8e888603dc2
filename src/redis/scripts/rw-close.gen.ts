// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local r,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + members + accounts + rw + "local b,e=ARGV[1],tonumber(ARGV[2])local j,k=b:sub(1,36),b:match('^[^@]*',36+1)local o=j..(b:match('@.*')or'')local q=e==0 local p=u(j)if q and not p and z('rw')then return X(j,y)end local v=redis.call('ZMSCORE',i,b,'w'..o,'o'..k)local c,d,n=tonumber(v[1]or 0),Z(v[3])local A=c>a and c<4e15 if not p and(q or m[j]and f==e or A and(e==w or e==C))then local P,e={'w'..o,'r'..o},m[j]or A I(j,q and'C'or'R',y)p='R'if v[2]then am(o)end if A then d=d-1 table.insert(P,b)table.insert(P,'t'..j)if d<=0 then table.insert(P,'o'..k)end end if d<=0 and k==D and not next(m)then w=0 end redis.call('ZREM',i,unpack(P))if A and d>0 then redis.call('ZADD',i,ae(d,n),'o'..k)end local s=ag()g=math.min(g,math.max(a,L(),s,l,R()))if h=='rw'then E()end N()local c=Q(e and s==0)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,O(j,e,c>0 and not A and ab(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["24bdcb864960940da3fb9e8c532ecf44e8367f59", "8872dc4f9b261b72ccbce65318c08d94e94b05b6"];
