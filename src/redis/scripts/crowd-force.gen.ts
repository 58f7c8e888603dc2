// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + "local b,k=ARGV[2],ARGV[3]if z(k)then return{'kind',a,h}end if not t(b)then local c=k=='fair'and next(l)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local d if k=='latch'then redis.call('ZCARD',i)elseif not c then d=Z()end local f=g>a and(k~='fair'and k~='rw'or next(l)or d)V('F')I(b,f and'F'or'N')h,e,g,s=k,math.max(e+1,a),c and-c or 0,c and s or''Q(true)if k=='latch'then redis.call('UNLINK',i)else N()end end return{'forced',a,e,t(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["cb82cd74ec990f86cc201c2901ac4ad5ab38d58f", "9428bba406f73788993649d64fc3000122c53595"];
