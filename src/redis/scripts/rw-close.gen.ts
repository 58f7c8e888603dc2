// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local v,E=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local b,g=ARGV[1],tonumber(ARGV[2])local l,K=b:sub(1,36),b:sub(37)local r=g==0 local p=G(l)if r and not p and L('rw')then return bc(l,E)end local w=redis.call('ZMSCORE',j,b,'w'..l,'o'..K)local c,d,y=tonumber(w[1]or 0),aX(w[3])local aY=c>a and c<4e15 if not p and(r or o[l]and h==g or aY and(g==ag or g==at))then local am,bC={'w'..l,'r'..l},o[l]or aY V(l,r and'C'or'R',E)p='R'if w[2]then cy(l)end if aY then d=d-1 table.insert(am,b)if d<=0 then table.insert(am,'o'..K)end end if d<=0 and K==aq and not next(o)then ag=0 end redis.call('ZREM',j,unpack(am))if aY and d>0 then redis.call('ZADD',j,bl(d,y),'o'..K)end local T=bn()i=math.min(i,math.max(a,au(),T,N,al()))if k=='rw'then H()end ae()local S=aB(bC and T==0)if S then return S end end if r or p=='R'then return{'closed',a}end return{'lost',a,aw(l,g,c>0 and not aY and bg(c),'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["ce332e6724b035ec57051f8d4a91ba6ffa578678", "0f60e95dcb0bd1779f78add2e9ea49c165c7fc38"];
