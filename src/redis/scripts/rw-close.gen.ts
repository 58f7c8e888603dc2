// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local b,m=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local t,o=ARGV[1],tonumber(ARGV[2])local s,c=t:sub(1,36),t:sub(37)local p=o==0 local h=j(s)if p and not h and x('rw')then return W(s,m)end local v=redis.call('ZMSCORE',i,t,'w'..s,'o'..c)local n,a,u=tonumber(v[1]or 0),H(v[3])local k=n>e and n<4e15 if not h and(p or f[s]and l==o or k and(o==g or o==D))then local P,o={'w'..s,'r'..s},f[s]or k G(s,p and'C'or'R',m)h='R'if v[2]then et(s)end if k then a=a-1 table.insert(P,t)if a<=0 then table.insert(P,'o'..c)end end if a<=0 and c==M and not next(f)then g=0 end redis.call('ZREM',i,unpack(P))if k and a>0 then redis.call('ZADD',i,R(a,u),'o'..c)end local B=V()r=math.min(r,math.max(e,L(),B,E,O()))if d=='rw'then q()end K()local n=S(o and B==0)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,N(s,o,n>0 and not k and Y(n),'unknown')}",
  replies: "closed|lost reason",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["71a04afcdde9eb137eac180dd914d1e63e8e3f39", "e8fdd224eac70f9e86354a653634684cf0207746"];
