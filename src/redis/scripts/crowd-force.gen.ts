// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, listen, oust, read_name, record, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + listen + wake + "local b,m=ARGV[2],ARGV[3]if E(m)then return{'kind',a,j}end if not x(b)then local c=m=='fair'and next(l)and redis.call('ZRANGEBYSCORE',d,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local i,f=h>a,nil j,g,h,D=m,math.max(g+1,a),c and-c or 0,c and D or''if m=='latch'then redis.call('ZCARD',d)else V()f=not c and q()end local e=(i or f)and(m~='fair'and m~='rw'or next(l)or f)n('F')S(b,e and'F'or'N')ah()Z(true)if m=='latch'then redis.call('UNLINK',d)end end return{'forced',a,g,x(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["60a40b9b4bf1a42ea67593f98f681814ba868161", "9e0aa7e1053302732b5525e9bd98aa53a3835805"];
