// Generated from lua/rw-close.lua by tools/build-lua.ts; do not edit.
import { accounts, clock, crowd, elsewhere, ending, failed, keep, last_end, last_end_besides, members, read_name, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const rwClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], RwCloseReply> = {
  lua: "local t,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + keep + failed + members + accounts + last_end + rw + last_end_besides + "local b,f=ARGV[1],tonumber(ARGV[2])local k,m=b:sub(1,36),b:match('^[^@]*',36+1)local q=k..(b:match('@.*')or'')local r=f==0 local p=w(k)if r and not p and B('rw')then return V(k,z)end local y=redis.call('ZMSCORE',d,b,'w'..q,'o'..m)local c,e,n=tonumber(y[1]or 0),ad(y[3])local D=c>a and c<4e15 local H=j=='none'or j=='rw'and A+F==0 local G=D and(f==A or f==F or H)local i=p and D and not B('rw')if i or not p and(r or l[k]and h==f or G)then local S,s,c={'w'..q,'r'..q},{},l[k]or D if not p then O(k,r and'C'or'R',z)end p='R'if y[2]then ai(q)end if D then e=e-1 table.insert(S,b)table.insert(S,'t'..k)if e>0 then s={W(e,n),'o'..m,ah(a),b}else table.insert(S,'o'..m)end end if e<=0 and m==J and not next(l)then A=0 end local v=aj({b})g=j=='none'and v or math.min(g,math.max(a,P(),v,o,N(q)))if j=='rw'or v>0 then C()end T()local i=U(c and v==0)if i then return i end if#s>0 then redis.call('ZADD',d,unpack(s))end redis.call('ZREM',d,unpack(S))end if r or p=='R'then return{'closed',a}end return{'lost',a,R(k,f,c>0 and not D and ae(c),'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["2a8bbcb5ef31d258b5ff09a9b0dff194b3c1781a", "229b4038ca25dde66695e1632c35fb0310929570"];
