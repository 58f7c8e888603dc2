// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local b,c=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local t,o=ARGV[1],tonumber(ARGV[2])local s,m=t:sub(1,36),t:match('^[^@]*',37)local p=o==0 local h=q(s)if p and not h and z('rw')then return V(s,c)end local v=redis.call('ZMSCORE',i,t,'w'..s,'o'..m)local n,a,y=tonumber(v[1]or 0),D(v[3])local w=n>e and n<4e15 if not h and(p or f[s]and l==o or w and(o==x or o==B))then local Q,o={'w'..s,'r'..s},f[s]or w E(s,p and'C'or'R',c)h='R'if v[2]then en(s)end if w then a=a-1 table.insert(Q,t)table.insert(Q,'t'..s)if a<=0 then table.insert(Q,'o'..m)end end if a<=0 and m==A and not next(f)then x=0 end redis.call('ZREM',i,unpack(Q))if w and a>0 then redis.call('ZADD',i,Z(a,y),'o'..m)end local g=ee()r=math.min(r,math.max(e,J(),g,u,L()))if d=='rw'then C()end N()local n=S(o and g==0)if n then return n end end if p or h=='R'then return{'closed',e}end return{'lost',e,P(s,o,n>0 and not w and X(n),'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["c29c4f753135bb5261d16ec9391b71c3c633468a", "af5bc38da40b5defeefc87f859ddbfc2813ac708"];
