// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, listen, oust, read_name, record, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + listen + wake + "local b,m=ARGV[2],ARGV[3]if D(m)then return{'kind',a,i}end if not y(b)then local c=m=='fair'and next(l)and redis.call('ZRANGEBYSCORE',e,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local j,f=g>a,nil i,h,g,B=m,math.max(h+1,a),c and-c or 0,c and B or''if m=='latch'then redis.call('ZCARD',e)else V()f=not c and q()end local d=(j or f)and(m~='fair'and m~='rw'or next(l)or f)k('F')Q(b,d and'F'or'N')ah()X(true)if m=='latch'then redis.call('UNLINK',e)end end return{'forced',a,h,y(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["67c337c2be9643d67a12d4a0b4d7a7e43c34685f", "cb12ed9f95fa4f6562c6b24c46aed636326eafdd"];
