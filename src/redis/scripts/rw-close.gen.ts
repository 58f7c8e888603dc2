// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number], RwCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + rw + "\nlocal b,e=ARGV[1],tonumber(ARGV[2])local l,L=b:sub(1,36),b:sub(37)local r=e==0 local q=w(l)if r and not q and G('rw')then return aV(l,ARGV[3])end local t=redis.call('ZMSCORE',j,b,'w'..l,'o'..L)local d,c=tonumber(t[1]or 0),(t[3]or 8e15)-8e15 local aA=o[l]and h==e or d>a and(e==W or e==at)if not q and(r or aA)then local ah={'w'..l,'r'..l}aA=o[l]or t[1]C(l,r and'c'or'r')q='r'if t[2]then ce(l)end if t[1]then c=c-1 table.insert(ah,b)if c<=0 then table.insert(ah,'o'..L)end end if c<=0 and L==af and not next(o)then W=0 end redis.call('ZREM',j,unpack(ah))if t[1]and c>0 then redis.call('ZADD',j,string.format('%.0f',8e15+c),'o'..L)end local ab=bd()i=math.min(i,math.max(a,al(),ab,E,ag()))if m=='rw'then A()end V(ARGV[3])local P=aD(ARGV[3],not aA or ab>0)if P then return P end elseif not q and d>0 then C(l,'e')end if r or q=='r'then return{'closed',a}end return{'lost',a,ao(l,e)}",
  sha: ["17f4888b6f3f05236bfda9c8b8a381f4c3b8e733", "ae1f9fcb5d9ea222997903633fe41785da750f86"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
