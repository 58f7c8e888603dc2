// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local b,g=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local t,o=ARGV[1],tonumber(ARGV[2])local c,m=t:sub(1,36),t:match('^[^@]*',37)local p=o==0 local h=q(c)if p and not h and z('rw')then return W(c,g)end local w=redis.call('ZMSCORE',i,t,'w'..c,'o'..m)local n,a,u=tonumber(w[1]or 0),H(w[3])local s=n>e and n<4e15 if not h and(p or f[c]and l==o or s and(o==x or o==E))then local P,o={'w'..c,'r'..c},f[c]or s F(c,p and'C'or'R',g)h='R'if w[2]then ea(c)end if s then a=a-1 table.insert(P,t)table.insert(P,'t'..c)if a<=0 then table.insert(P,'o'..m)end end if a<=0 and m==C and not next(f)then x=0 end redis.call('ZREM',i,unpack(P))if s and a>0 then redis.call('ZADD',i,S(a,u),'o'..m)end local k=ee()r=math.min(r,math.max(e,L(),k,D,Q()))if d=='rw'then A()end K()local n=T(o and k==0)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,O(c,o,n>0 and not s and Y(n),'unknown')}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["499b996c8c9fefa2d6c8bd5c6f9c61d791bc3191", "e2efc4a06d1dc9dbb9444eea7dadec487922598e"];
