// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local w,O=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local b,g=ARGV[1],tonumber(ARGV[2])local l,M=b:sub(1,36),b:sub(37)local r=g==0 local p=I(l)if r and not p and N('rw')then return bc(l,O)end local x=redis.call('ZMSCORE',j,b,'w'..l,'o'..M)local c,d,z=tonumber(x[1]or 0),aX(x[3])local aY=c>a and c<4e15 if not p and(r or o[l]and h==g or aY and(g==ah or g==at))then local an,bE={'w'..l,'r'..l},o[l]or aY W(l,r and'C'or'R',O)p='R'if x[2]then cA(l)end if aY then d=d-1 table.insert(an,b)if d<=0 then table.insert(an,'o'..M)end end if d<=0 and M==ar and not next(o)then ah=0 end redis.call('ZREM',j,unpack(an))if aY and d>0 then redis.call('ZADD',j,bm(d,z),'o'..M)end local J=bo()i=math.min(i,math.max(a,au(),J,Q,am()))if k=='rw'then K()end af()local U=aA(bE and J==0)if U then return U end end if r or p=='R'then return{'closed',a}end return{'lost',a,aw(l,g,c>0 and not aY and bh(c),'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["b11f8d955131476eb98529492d94e524c5639012", "d1aa15d1ea6f181f94ed7a1388ecbff3a415b3d0"];
