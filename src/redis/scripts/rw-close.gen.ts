// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + members + accounts + rw + "local b,e=ARGV[1],tonumber(ARGV[2])local j,k=b:sub(1,36),b:match('^[^@]*',36+1)local p=e==0 local o=u(j)if p and not o and z('rw')then return Y(j,y)end local v=redis.call('ZMSCORE',i,b,'w'..j,'o'..k)local c,d,m=tonumber(v[1]or 0),S(v[3])local w=c>a and c<4e15 if not o and(p or l[j]and f==e or w and(e==t or e==B))then local Q,e={'w'..j,'r'..j},l[j]or w J(j,p and'C'or'R',y)o='R'if v[2]then al(j)end if w then d=d-1 table.insert(Q,b)table.insert(Q,'t'..j)if d<=0 then table.insert(Q,'o'..k)end end if d<=0 and k==E and not next(l)then t=0 end redis.call('ZREM',i,unpack(Q))if w and d>0 then redis.call('ZADD',i,ad(d,m),'o'..k)end local r=af()g=math.min(g,math.max(a,M(),r,n,N()))if h=='rw'then D()end O()local c=R(e and r==0)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,P(j,e,c>0 and not w and aa(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["170d2399ed05b5902d689115586cd649c864d411", "8ee1ffdbef3dfa33275b6046d5197680d25b9149"];
