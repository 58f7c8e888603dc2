// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + "local b,k=ARGV[2],ARGV[3]if z(k)then return{'kind',a,h}end if not u(b)then local c=k=='fair'and next(m)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local f if k=='latch'then redis.call('ZCARD',i)elseif not c then f=A()end local d=(e>a or f)and(k~='fair'and k~='rw'or next(m)or f)Y('F')I(b,d and'F'or'N')h,g,e,t=k,math.max(g+1,a),c and-c or 0,c and t or''R(true)if k=='latch'then redis.call('UNLINK',i)else N()end end return{'forced',a,g,u(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["7c12f592ceb96d3432b32427d6418145f46026e6", "3d2837574b7d8db935afd73d13a748d00b9cd799"];
