// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local r,k=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + members + accounts + rw + "local b,e=ARGV[1],tonumber(ARGV[2])local j,l=b:sub(1,36),b:match('^[^@]*',36+1)local p=e==0 local o=v(j)if p and not o and B('rw')then return X(j,k)end local w=redis.call('ZMSCORE',i,b,'w'..j,'o'..l)local c,d,q=tonumber(w[1]or 0),S(w[3])local u=c>a and c<4e15 if not o and(p or m[j]and f==e or u and(e==x or e==C))then local Q,e={'w'..j,'r'..j},m[j]or u J(j,p and'C'or'R',k)o='R'if w[2]then al(j)end if u then d=d-1 table.insert(Q,b)table.insert(Q,'t'..j)if d<=0 then table.insert(Q,'o'..l)end end if d<=0 and l==F and not next(m)then x=0 end redis.call('ZREM',i,unpack(Q))if u and d>0 then redis.call('ZADD',i,ac(d,q),'o'..l)end local s=ae()g=math.min(g,math.max(a,M(),s,n,K()))if h=='rw'then E()end O()local c=R(e and s==0)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(j,e,c>0 and not u and Z(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fe89490ec544b3ffac1a3d7e052f8a900ab78fa4", "c4b6f932723cf372a88c731efda96f9e5088f89c"];
