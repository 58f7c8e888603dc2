// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local t,o=ARGV[1],tonumber(ARGV[2])local s,m=t:sub(1,36),t:match('^[^@]*',37)local p=o==0 local h=j(s)if p and not h and q('rw')then return V(s,c)end local w=redis.call('ZMSCORE',i,t,'w'..s,'o'..m)local n,a,u=tonumber(w[1]or 0),L(w[3])local g=n>e and n<4e15 if not h and(p or f[s]and l==o or g and(o==x or o==E))then local O,o={'w'..s,'r'..s},f[s]or g F(s,p and'C'or'R',c)h='R'if w[2]then ea(s)end if g then a=a-1 table.insert(O,t)table.insert(O,'t'..s)if a<=0 then table.insert(O,'o'..m)end end if a<=0 and m==B and not next(f)then x=0 end redis.call('ZREM',i,unpack(O))if g and a>0 then redis.call('ZADD',i,Z(a,u),'o'..m)end local k=ee()r=math.min(r,math.max(e,K(),k,D,P()))if d=='rw'then z()end J()local n=S(o and k==0)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,N(s,o,n>0 and not g and X(n),'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["91f01387b459e05dc27586e3bf5169cd53b84c84", "b6d3ce4b0323f706062658f077c996b53beb1492"];
