// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local t,o=ARGV[1],tonumber(ARGV[2])local s,f=t:sub(1,36),t:sub(37)local p=o==0 local h=q(s)if p and not h and C('rw')then return V(s,c)end local g=redis.call('ZMSCORE',i,t,'w'..s,'o'..f)local n,a,y=tonumber(g[1]or 0),H(g[3])local u=n>e and n<4e15 if not h and(p or m[s]and l==o or u and(o==w or o==D))then local L,o={'w'..s,'r'..s},m[s]or u F(s,p and'C'or'R',c)h='R'if g[2]then ea(s)end if u then a=a-1 table.insert(L,t)if a<=0 then table.insert(L,'o'..f)end end if a<=0 and f==O and not next(m)then w=0 end redis.call('ZREM',i,unpack(L))if u and a>0 then redis.call('ZADD',i,T(a,y),'o'..f)end local z=Z()r=math.min(r,math.max(e,P(),z,E,M()))if d=='rw'then A()end K()local n=R(o and z==0)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,Q(s,o,n>0 and not u and X(n),'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["fbe8444071f55777614d169769e580e610541ad2", "aae1170543857d621fa9b11623ec92b1b53318c9"];
