// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + "local b,k=ARGV[2],ARGV[3]if z(k)then return{'kind',a,h}end if not u(b)then local c=k=='fair'and next(l)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local e if k=='latch'then redis.call('ZCARD',i)elseif not c then e=w()end local d=g>a and(k~='fair'and k~='rw'or next(l)or e)X('F')J(b,d and'F'or'N')h,f,g,s=k,math.max(f+1,a),c and-c or 0,c and s or''R(true)if k=='latch'then redis.call('UNLINK',i)else O()end end return{'forced',a,f,u(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f66c590408b9134dc25e8b74e64a65b3f3e63a38", "6f31dc10ceee82789fce89fc154948e0097b0936"];
