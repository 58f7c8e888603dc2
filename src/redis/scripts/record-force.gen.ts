// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\nlocal b,o,j=ARGV[2],ARGV[3],KEYS[2]if N(o)then return{'kind',a,m}end if not v(b)then local k=j and redis.call('ZRANGEBYSCORE',j,a,4e15,'LIMIT',0,15)or{}local ap=i>a and(o~='fair'and o~='rw'or next(n)or#k>0)for P,ac in ipairs(k)do if not v(ac:sub(1,36))then A(ac:sub(1,36),'f')end end for ac in pairs(n)do A(ac,'f')end A(b,ap and'f'or'n')local aP=ap and o=='fair'and redis.call('ZRANGEBYSCORE',j,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]m,g,i,z=o,math.max(g+1,a),aP and-aP or 0,aP and z or''aw(ARGV[4])if j and not aP then redis.call('UNLINK',j)end end return{'forced',a,g,v(b)=='f'and 1 or 0}",
  sha: ["f2da86a86988d3369ff5cf42b8287819841cf720", "3af4f8e135d754146a2431496542e19382f80afe"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
