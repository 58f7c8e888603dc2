// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local y,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + owners + "\n" + rw + "\nlocal b,g=ARGV[1],tonumber(ARGV[2])local k,S=b:sub(1,36),b:sub(37)local r=g==0 local q=J(k)if r and not q and N('rw')then return bb(k,C)end local w=redis.call('ZMSCORE',i,b,'w'..k,'o'..S)local c,d,u=tonumber(w[1]or 0),aV(w[3])local aW=c>a if not q and(r or o[k]and h==g or aW and(g==ag or g==ax))then local ak,bw={'w'..k,'r'..k},o[k]or aW aa(k,r and'C'or'R',C)q='R'if w[2]then co(k)end if aW then d=d-1 table.insert(ak,b)if d<=0 then table.insert(ak,'o'..S)end end if d<=0 and S==an and not next(o)then ag=0 end redis.call('ZREM',i,unpack(ak))if aW and d>0 then redis.call('ZADD',i,bi(d,u),'o'..S)end local M=bk()j=math.min(j,math.max(a,aq(),M,L,aj()))if l=='rw'then F()end ad()local R=aE(bw and M==0)if R then return R end end if r or q=='R'then return{'closed',a}end return{'lost',a,au(k,g,c>0 and not aW and be(c),'unknown')}",
  sha: ["142350a34dea3e930a538bffaec9a22a7287063f", "3fe8d0089e2d04e2b32baa6bb04cab69a96d1f78"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
