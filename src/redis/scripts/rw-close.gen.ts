// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local y,D=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + one + record + ending + vacate + elsewhere + crowd + members + owners + rw + "local b,g=ARGV[1],tonumber(ARGV[2])local l,S=b:sub(1,36),b:sub(37)local r=g==0 local p=F(l)if r and not p and K('rw')then return bb(l,D)end local z=redis.call('ZMSCORE',j,b,'w'..l,'o'..S)local c,d,w=tonumber(z[1]or 0),aV(z[3])local aW=c>a if not p and(r or o[l]and h==g or aW and(g==ag or g==ar))then local ak,by={'w'..l,'r'..l},o[l]or aW U(l,r and'C'or'R',D)p='R'if z[2]then ct(l)end if aW then d=d-1 table.insert(ak,b)if d<=0 then table.insert(ak,'o'..S)end end if d<=0 and S==ao and not next(o)then ag=0 end redis.call('ZREM',j,unpack(ak))if aW and d>0 then redis.call('ZADD',j,bj(d,w),'o'..S)end local G=bl()i=math.min(i,math.max(a,as(),G,N,aj()))if k=='rw'then H()end ad()local R=aB(by and G==0)if R then return R end end if r or p=='R'then return{'closed',a}end return{'lost',a,av(l,g,c>0 and not aW and be(c),'unknown')}",
  replies: "closed|lost reason",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["a9cb1fbcf6d4cdcb8e3e4fa2617af1caf14277f0", "160388fe02274510f0ddc710dc5125d4a42d49e8"];
