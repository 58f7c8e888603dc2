// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\nlocal b,o,k=ARGV[2],ARGV[3],KEYS[2]if F(o)then return{'kind',a,m}end if not v(b)then local j=k and redis.call('ZRANGEBYSCORE',k,a,4e15,'LIMIT',0,15)or{}local ap=i>a and(o~='fair'and o~='rw'or next(n)or#j>0)for P,ac in ipairs(j)do if not v(ac:sub(1,36))then A(ac:sub(1,36),'f')end end for ac in pairs(n)do A(ac,'f')end A(b,ap and'f'or'n')local aQ=ap and o=='fair'and redis.call('ZRANGEBYSCORE',k,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]m,g,i,z=o,math.max(g+1,a),aQ and-aQ or 0,aQ and z or''aw(ARGV[4])if k and not aQ then redis.call('UNLINK',k)end end return{'forced',a,g,v(b)=='f'and 1 or 0}",
  sha: ["bff9a0f14203d6b6ba706433d386970d80e0aa5b", "40d743fd65ad5284f2c30bb582cef781c973cdb6"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
