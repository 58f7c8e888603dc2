// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, failed, keep, last_end, last_end_besides, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local s,A=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + members + accounts + last_end + rw + last_end_besides + "local b,g=ARGV[1],tonumber(ARGV[2])local k,m=b:sub(1,36),b:match('^[^@]*',36+1)local p=k..(b:match('@.*')or'')local t=g==0 local r=x(k)if t and not r and B('rw')then return ac(k,A)end local w=redis.call('ZMSCORE',d,b,'w'..p,'o'..m)local c,e,l=tonumber(w[1]or 0),ah(w[3])local D=c>a and c<4e15 local G=i=='none'or i=='rw'and z+E==0 local F=D and(g==z or g==E or G)local j=r and D and not B('rw')if j or not r and(t or n[k]and h==g or F)then local O,q,c={'w'..p,'r'..p},{},n[k]or D if not r then N(k,t and'C'or'R',A)end r='R'if w[2]then ag(p)end if D then e=e-1 table.insert(O,b)table.insert(O,'t'..k)if e>0 then q={ad(e,l),'o'..m,ai(a),b}else table.insert(O,'o'..m)end end if e<=0 and m==R and not next(n)then z=0 end local v=aj({b})f=i=='none'and v or math.min(f,math.max(a,Q(),v,o,W(p)))if i=='rw'or v>0 then I()end P()local j=V(c and v==0)if j then return j end if#q>0 then redis.call('ZADD',d,unpack(q))end redis.call('ZREM',d,unpack(O))end if t or r=='R'then return{'closed',a}end return{'lost',a,T(k,g,c>0 and not D and ae(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3b1e6a618a4ecd97e3915c555bcdc7d17c300a33", "74497509edde7ba2e5b58c3fdf24b382bf46a81a"];
