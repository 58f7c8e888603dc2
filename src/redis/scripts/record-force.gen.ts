// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\nlocal b,X,t=ARGV[2],ARGV[3],KEYS[2]if J(X)then return{'kind',a,k}end if not m(b)then for D,U in ipairs(t and redis.call('ZRANGEBYSCORE',t,a,4e15,'LIMIT',0,15)or{})do if not m(U:sub(1,36))then r(U:sub(1,36),'f')end end for U in pairs(h)do r(U,'f')end r(b,f>a and'f'or'n')k,d,f,q=X,math.max(d+1,a),0,''aa(ARGV[4])if t then redis.call('DEL',t)end end return{'forced',a,d,m(b)=='f'and 1 or 0}",
  sha: ["5852372fd7dc0f096e2e50519cb14e7a3b994043", "e20f227f80937dfebe704fbddae7197d97772468"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
