// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\nlocal b,n,j=ARGV[2],ARGV[3],KEYS[2]if G(n)then return{'kind',a,m}end if not w(b)then local k=j and redis.call('ZRANGEBYSCORE',j,a,4e15,'LIMIT',0,15)or{}local az=i>a and(n~='fair'and n~='rw'or next(o)or#k>0)for R,ai in ipairs(k)do if not w(ai:sub(1,36))then C(ai:sub(1,36),'f')end end for ai in pairs(o)do C(ai,'f')end C(b,az and'f'or'n')local aY=az and n=='fair'and redis.call('ZRANGEBYSCORE',j,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]m,h,i,B=n,math.max(h+1,a),aY and-aY or 0,aY and B or''aD(ARGV[4])if n=='counter'then redis.call('PEXPIRE',j,ARGV[4])elseif j and not aY then redis.call('UNLINK',j)end end return{'forced',a,h,w(b)=='f'and 1 or 0}",
  sha: ["908ae52e2f262817395ace396c44fe7719ad8245", "cd847b8483d881b0d0cdde534578d5038be3b864"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
