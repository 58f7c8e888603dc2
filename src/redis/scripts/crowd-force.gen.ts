// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local r=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + "local b,k=ARGV[2],ARGV[3]if z(k)then return{'kind',a,h}end if not u(b)then local c=k=='fair'and next(m)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local e if k=='latch'then redis.call('ZCARD',i)elseif not c then e=A()end local d=g>a and(k~='fair'and k~='rw'or next(m)or e)Y('F')I(b,d and'F'or'N')h,f,g,t=k,math.max(f+1,a),c and-c or 0,c and t or''Q(true)if k=='latch'then redis.call('UNLINK',i)else N()end end return{'forced',a,f,u(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3af1d4ebfc065cff850fda17c7c0ee11d2da4574", "80bd7bc9ed1fc4a94bd44a0cc9efcb3bc7fa73d3"];
