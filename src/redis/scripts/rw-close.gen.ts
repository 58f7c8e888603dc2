// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local b,s=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local t,o=ARGV[1],tonumber(ARGV[2])local c,m=t:sub(1,36),t:sub(37)local p=o==0 local h=q(c)if p and not h and j('rw')then return V(c,s)end local y=redis.call('ZMSCORE',i,t,'w'..c,'o'..m)local n,a,u=tonumber(y[1]or 0),H(y[3])local k=n>e and n<4e15 if not h and(p or f[c]and l==o or k and(o==w or o==D))then local O,o={'w'..c,'r'..c},f[c]or k G(c,p and'C'or'R',s)h='R'if y[2]then et(c)end if k then a=a-1 table.insert(O,t)if a<=0 then table.insert(O,'o'..m)end end if a<=0 and m==C and not next(f)then w=0 end redis.call('ZREM',i,unpack(O))if k and a>0 then redis.call('ZADD',i,R(a,u),'o'..m)end local z=Z()r=math.min(r,math.max(e,K(),z,E,N()))if d=='rw'then A()end L()local n=S(o and z==0)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,M(c,o,n>0 and not k and X(n),'unknown')}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["7bbd13725a7e1bf65c11cfd7459b24dc70bfbf38", "b4cbc87c46afd196d3e997d83b79189d1defce50"];
