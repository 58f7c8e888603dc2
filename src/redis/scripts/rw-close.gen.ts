// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local w,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + members + "\n" + owners + "\n" + rw + "\nlocal b,g=ARGV[1],tonumber(ARGV[2])local l,S=b:sub(1,36),b:sub(37)local r=g==0 local q=F(l)if r and not q and J('rw')then return bb(l,C)end local x=redis.call('ZMSCORE',j,b,'w'..l,'o'..S)local c,e,u=tonumber(x[1]or 0),aV(x[3])local aW=c>a if not q and(r or o[l]and h==g or aW and(g==ag or g==ax))then local ak,bw={'w'..l,'r'..l},o[l]or aW U(l,r and'C'or'R',C)q='R'if x[2]then co(l)end if aW then e=e-1 table.insert(ak,b)if e<=0 then table.insert(ak,'o'..S)end end if e<=0 and S==an and not next(o)then ag=0 end redis.call('ZREM',j,unpack(ak))if aW and e>0 then redis.call('ZADD',j,bi(e,u),'o'..S)end local N=bk()i=math.min(i,math.max(a,aq(),N,M,aj()))if k=='rw'then G()end ad()local R=aB(bw and N==0)if R then return R end end if r or q=='R'then return{'closed',a}end return{'lost',a,au(l,g,c>0 and not aW and be(c),'unknown')}",
  replies: ["closed", "lost reason"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["dad71d8d3622d44d4361ae9da2044da6e6a839ab", "daf043b757cb1bbd7929310a8955acc410e1e5c9"];
