// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, members, one, owners, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local w,C=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + "\n" + one + "\n" + record + "\n" + ending + "\n" + vacate + "\n" + elsewhere + "\n" + crowd + "\n" + members + "\n" + owners + "\n" + rw + "\nlocal b,g=ARGV[1],tonumber(ARGV[2])local l,S=b:sub(1,36),b:sub(37)local r=g==0 local q=F(l)if r and not q and J('rw')then return bc(l,C)end local x=redis.call('ZMSCORE',j,b,'w'..l,'o'..S)local c,d,u=tonumber(x[1]or 0),aW(x[3])local aX=c>a if not q and(r or o[l]and h==g or aX and(g==ag or g==ay))then local ak,bx={'w'..l,'r'..l},o[l]or aX U(l,r and'C'or'R',C)q='R'if x[2]then cr(l)end if aX then d=d-1 table.insert(ak,b)if d<=0 then table.insert(ak,'o'..S)end end if d<=0 and S==ao and not next(o)then ag=0 end redis.call('ZREM',j,unpack(ak))if aX and d>0 then redis.call('ZADD',j,bj(d,u),'o'..S)end local N=bl()i=math.min(i,math.max(a,ar(),N,M,aj()))if k=='rw'then G()end ad()local R=aC(bx and N==0)if R then return R end end if r or q=='R'then return{'closed',a}end return{'lost',a,av(l,g,c>0 and not aX and bf(c),'unknown')}",
  replies: ["closed", "lost reason"],
  fresh: false,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["1c662e4f11d078f7eeb974dbe6bf4a01f9057e90", "16f6d518c7f0d3218d021b49218b9b557855643b"];
