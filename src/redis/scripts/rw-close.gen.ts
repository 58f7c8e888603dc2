// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local b,m=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local t,o=ARGV[1],tonumber(ARGV[2])local s,c=t:sub(1,36),t:sub(37)local p=o==0 local h=q(s)if p and not h and j('rw')then return V(s,m)end local x=redis.call('ZMSCORE',i,t,'w'..s,'o'..c)local n,a,u=tonumber(x[1]or 0),H(x[3])local k=n>e and n<4e15 if not h and(p or f[s]and l==o or k and(o==g or o==D))then local O,o={'w'..s,'r'..s},f[s]or k G(s,p and'C'or'R',m)h='R'if x[2]then et(s)end if k then a=a-1 table.insert(O,t)if a<=0 then table.insert(O,'o'..c)end end if a<=0 and c==B and not next(f)then g=0 end redis.call('ZREM',i,unpack(O))if k and a>0 then redis.call('ZADD',i,U(a,u),'o'..c)end local C=Z()r=math.min(r,math.max(e,K(),C,E,N()))if d=='rw'then z()end L()local n=R(o and C==0)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,M(s,o,n>0 and not k and X(n),'unknown')}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["383942af6d404bfb687c1873dafc6be4408e698e", "fa11b55fbf4a02001ecb8a169274b0bd0d6c0ee8"];
