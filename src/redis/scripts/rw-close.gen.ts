// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number], RwCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + rw + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local l,K=b:sub(1,36),b:sub(37)local r=f==0 local q=v(l)if r and not q and F('rw')then return aO(l,ARGV[3])end local t=redis.call('ZMSCORE',j,b,'w'..l,'o'..K)local c,e=tonumber(t[1]or 0),(t[3]or 8e15)-8e15 local at=o[l]and g==f or c>a and(f==U or f==ao)if not q and(r or at)then local ad={'w'..l,'r'..l}at=o[l]or t[1]B(l,r and'c'or'r')q='r'if t[2]then bR(l)end if t[1]then e=e-1 table.insert(ad,b)if e<=0 then table.insert(ad,'o'..K)end end if e<=0 and K==ab and not next(o)then U=0 end redis.call('ZREM',j,unpack(ad))if t[1]and e>0 then redis.call('ZADD',j,string.format('%.0f',8e15+e),'o'..K)end local ax=aW()i=math.min(i,math.max(a,ag(),ax,D,ac()))if m=='rw'then z()end S(ARGV[3])local O=ay(ARGV[3],not at or ax>0)if O then return O end elseif not q and c>0 then B(l,'e')end if r or q=='r'then return{'closed',a}end return{'lost',a,aj(l,f)}",
  sha: ["e71c86dbb3b3dbad128957bd9dcaecab95ef9482", "1afccd2f863fa6843b2cd20398828207a453eb25"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
