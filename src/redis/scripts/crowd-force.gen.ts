// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + vacate + crowd + oust + "local b,k=ARGV[2],ARGV[3]if y(k)then return{'kind',a,h}end if not u(b)then local c=k=='fair'and next(l)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local g if k=='latch'then redis.call('ZCARD',i)elseif not c then g=A()end local d=(e>a or g)and(k~='fair'and k~='rw'or next(l)or g)Y('F')I(b,d and'F'or'N')h,f,e,t=k,math.max(f+1,a),c and-c or 0,c and t or''R(true)if k=='latch'then redis.call('UNLINK',i)else N()end end return{'forced',a,f,u(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["84da8aa2ce5ae6a736406ec1524191abb8e8f685", "c4f132dc4c8640cf281b513dd525eba3d595cb78"];
