// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local w,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + members + "\n" + owners + "\n" + rw + "\nlocal b,g=ARGV[1],tonumber(ARGV[2])local l,S=b:sub(1,36),b:sub(37)local r=g==0 local q=F(l)if r and not q and J('rw')then return bb(l,C)end local x=redis.call('ZMSCORE',j,b,'w'..l,'o'..S)local c,d,u=tonumber(x[1]or 0),aV(x[3])local aW=c>a if not q and(r or o[l]and h==g or aW and(g==ag or g==ax))then local ak,bx={'w'..l,'r'..l},o[l]or aW U(l,r and'C'or'R',C)q='R'if x[2]then cq(l)end if aW then d=d-1 table.insert(ak,b)if d<=0 then table.insert(ak,'o'..S)end end if d<=0 and S==an and not next(o)then ag=0 end redis.call('ZREM',j,unpack(ak))if aW and d>0 then redis.call('ZADD',j,bi(d,u),'o'..S)end local N=bk()i=math.min(i,math.max(a,aq(),N,M,aj()))if k=='rw'then G()end ad()local R=aB(bx and N==0)if R then return R end end if r or q=='R'then return{'closed',a}end return{'lost',a,au(l,g,c>0 and not aW and be(c),'unknown')}",
  replies: ["closed", "lost reason"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["ddfb43c4df0db01b73e9367d9a3d00d01df237a9", "2b0f2780bfb3f0cc91de67de70ce0863c805377c"];
