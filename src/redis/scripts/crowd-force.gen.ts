// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local r=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + "local b,l=ARGV[2],ARGV[3]if B(l)then return{'kind',a,h}end if not v(b)then local c=l=='fair'and next(m)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local d if l=='latch'then redis.call('ZCARD',i)elseif not c then d=X()end local z=g>a and(l~='fair'and l~='rw'or next(m)or d)W('F')J(b,z and'F'or'N')h,f,g,t=l,math.max(f+1,a),c and-c or 0,c and t or''R(true)if l=='latch'then redis.call('UNLINK',i)else O()end end return{'forced',a,f,v(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["6bc00215da93cb3be85869afa159b1e9ad1209c1", "cd188df664582df8e1660f0fc441c6d18069c8ac"];
