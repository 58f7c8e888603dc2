// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, members, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local E,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + accounts + rw + "local i,o=ARGV[1],tonumber(ARGV[2])local s,u=i:sub(1,36),i:match('^[^@]*',37)local O=o==0 local y=W(s)if O and not y and S('rw')then return I(s,A)end local g=redis.call('ZMSCORE',d,i,'w'..s,'o'..u)local t,a,n=tonumber(g[1]or 0),p(g[3])local L=t>e and t<4e15 if not y and(O or f[s]and r==o or L and(o==x or o==T))then local Y,o={'w'..s,'r'..s},f[s]or L B(s,O and'C'or'R',A)y='R'if g[2]then eo(s)end if L then a=a-1 table.insert(Y,i)table.insert(Y,'t'..s)if a<=0 then table.insert(Y,'o'..u)end end if a<=0 and u==G and not next(f)then x=0 end redis.call('ZREM',d,unpack(Y))if L and a>0 then redis.call('ZADD',d,V(a,n),'o'..u)end local c=ee()l=math.min(l,math.max(e,F(),c,h,R()))if m=='rw'then K()end Z()local t=C(o and c==0)if t then return t end end if O or y=='R'then return{'closed',e}end return{'lost',e,D(s,o,t>0 and not L and v(t),'unknown')}",
  replies: "closed|lost reason$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["dd2741223af14b60f415068bc960b7ae7b2066e1", "50f215c253a18cc817ba5e7e468e1361ddaedd7a"];
