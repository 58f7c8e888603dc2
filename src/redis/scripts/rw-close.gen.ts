// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number], RwCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + rw + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local l,J=b:sub(1,36),b:sub(37)local r=f==0 local q=v(l)if r and not q and F('rw')then return aN(l,ARGV[3])end local u=redis.call('ZMSCORE',k,b,'w'..l,'o'..J)local c,e=tonumber(u[1]or 0),(u[3]or 8e15)-8e15 local aq=n[l]and g==f or c>a and(f==U or f==am)if not q and(r or aq)then local ab={'w'..l,'r'..l}aq=n[l]or u[1]A(l,r and'c'or'r')q='r'if u[2]then bR(l)end if u[1]then e=e-1 table.insert(ab,b)if e<=0 then table.insert(ab,'o'..J)end end if e<=0 and J==Z and not next(n)then U=0 end redis.call('ZREM',k,unpack(ab))if u[1]and e>0 then redis.call('ZADD',k,string.format('%.0f',8e15+e),'o'..J)end local av=aV()i=math.min(i,math.max(a,ae(),av,D,aa()))if m=='rw'then y()end S(ARGV[3])local M=aw(ARGV[3],not aq or av>0)if M then return M end elseif not q and c>0 then A(l,'e')end if r or q=='r'then return{'closed',a}end return{'lost',a,ah(l,f)}",
  sha: ["d02e081e29ead2580c48933d89ee5cd5e5fc64cd", "372760074971a89750b1700be86fe9a68a68f85e"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
