// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local k,m=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local t,l=ARGV[1],tonumber(ARGV[2])local s,c=t:sub(1,36),t:sub(37)local p=l==0 local h=j(s)if p and not h and B('rw')then return W(s,m)end local w=redis.call('ZMSCORE',i,t,'w'..s,'o'..c)local n,a,u=tonumber(w[1]or 0),H(w[3])local b=n>e and n<4e15 if not h and(p or f[s]and o==l or b and(l==y or l==D))then local O,o={'w'..s,'r'..s},f[s]or b F(s,p and'C'or'R',m)h='R'if w[2]then ea(s)end if b then a=a-1 table.insert(O,t)if a<=0 then table.insert(O,'o'..c)end end if a<=0 and c==L and not next(f)then y=0 end redis.call('ZREM',i,unpack(O))if b and a>0 then redis.call('ZADD',i,U(a,u),'o'..c)end local A=ee()r=math.min(r,math.max(e,M(),A,E,N()))if d=='rw'then z()end K()local n=S(o and A==0)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,R(s,l,n>0 and not b and Y(n),'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["ea80f99ecd6d6ee2deb8e2d9e5f5b1c9e275fa2d", "03d97d642768fdb6c29ff551dffa9a086a35e299"];
