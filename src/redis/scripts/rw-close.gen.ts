// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number], RwCloseReply> = {
  lua: clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + rw + "\nlocal b,f=ARGV[1],tonumber(ARGV[2])local l,H=b:sub(1,36),b:sub(37)local r=f==0 local q=v(l)if r and not q and N('rw')then return aN(l,ARGV[3])end local u=redis.call('ZMSCORE',j,b,'w'..l,'o'..H)local c,e=tonumber(u[1]or 0),(u[3]or 8e15)-8e15 local aq=n[l]and g==f or c>a and(f==U or f==al)if not q and(r or aq)then local ab={'w'..l,'r'..l}aq=n[l]or u[1]A(l,r and'c'or'r')q='r'if u[2]then bQ(l)end if u[1]then e=e-1 table.insert(ab,b)if e<=0 then table.insert(ab,'o'..H)end end if e<=0 and H==Z and not next(n)then U=0 end redis.call('ZREM',j,unpack(ab))if u[1]and e>0 then redis.call('ZADD',j,string.format('%.0f',8e15+e),'o'..H)end local av=aU()i=math.min(i,math.max(a,ae(),av,M,aa()))if m=='rw'then x()end S(ARGV[3])local K=aw(ARGV[3],not aq or av>0)if K then return K end elseif not q and c>0 then A(l,'e')end if r or q=='r'then return{'closed',a}end return{'lost',a,ah(l,f)}",
  sha: ["ed5f061e664cb2a70772b1af3d1e118179b35175", "e753ea1e4842bafd0c1335768b7ce5caebfb501c"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
