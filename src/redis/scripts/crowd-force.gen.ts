// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, fresh, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + oust + "local b,m=ARGV[2],ARGV[3]if B(m)then return{'kind',a,i}end if not v(b)then local c=m=='fair'and next(n)and redis.call('ZRANGEBYSCORE',d,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local j,h=f>a,nil i,g,f,w=m,math.max(g+1,a),c and-c or 0,c and w or''if m=='latch'then redis.call('ZCARD',d)else O()h=not c and p()end local e=(j or h)and(m~='fair'and m~='rw'or next(n)or h)k('F')K(b,e and'F'or'N')T(true)if m=='latch'then redis.call('UNLINK',d)end end return{'forced',a,g,v(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fcd82fbffe9234e85e704d35ed08b0f962efc0b3", "05870178edaf3482841f0915099fe209f67695ff"];
