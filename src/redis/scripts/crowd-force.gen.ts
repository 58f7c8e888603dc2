// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + "local b,m=ARGV[2],ARGV[3]if A(m)then return{'kind',a,h}end if not y(b)then local c=m=='fair'and next(l)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local d if m=='latch'then redis.call('ZCARD',i)elseif not c then d=K()end local u=g>a and(m~='fair'and m~='rw'or next(l)or d)for a in pairs(l)do E(a,'F')end E(b,u and'F'or'N')h,f,g,q=m,math.max(f+1,a),c and-c or 0,c and q or''S(true)if m=='latch'then redis.call('UNLINK',i)else O()end end return{'forced',a,f,y(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["4b6db2fff17f349e1255e809e306e3dacb7c29a9", "d9a1670c565ff26483d9394d33b77a814a8b6e6d"];
