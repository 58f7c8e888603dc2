// Generated from lua/crowd-force.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, crowd, failed, fresh, keep, oust, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const crowdForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], CrowdForceReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + vacate + crowd + keep + failed + oust + "local b,m=ARGV[2],ARGV[3]if B(m)then return{'kind',a,i}end if not x(b)then local c=m=='fair'and next(n)and redis.call('ZRANGEBYSCORE',d,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local j,g=f>a,nil i,h,f,q=m,math.max(h+1,a),c and-c or 0,c and q or''if m=='latch'then redis.call('ZCARD',d)else P()g=not c and r()end local e=(j or g)and(m~='fair'and m~='rw'or next(n)or g)l('F')N(b,e and'F'or'N')V(true)if m=='latch'then redis.call('UNLINK',d)end end return{'forced',a,h,x(b)=='F'and 1 or 0}",
  replies: {
    forced: { token: "integer", had: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["908ead400c2d50a7c8d89d374399263051356878", "4588c02e576a7a0c519dcf22e138eed56d491089"];
