// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, fresh, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + oust + "local b,l=ARGV[2],ARGV[3]if A(l)then return{'kind',a,h}end if not v(b)then local c=l=='fair'and next(m)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local k,g=e>a,nil h,f,e,w=l,math.max(f+1,a),c and-c or 0,c and w or''if l=='latch'then redis.call('ZCARD',i)else O()g=not c and p()end local d=(k or g)and(l~='fair'and l~='rw'or next(m)or g)j('F')K(b,d and'F'or'N')T(true)if l=='latch'then redis.call('UNLINK',i)end end return{'forced',a,f,v(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["20a68b35b09ab24638c00c8be16f8d9329abc11d", "9c7dfc6b3e3c80e68b369cba40fb8e439a4edfa5"];
