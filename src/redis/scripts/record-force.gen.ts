// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local y=tonumber(ARGV[4])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\n" + crowd + "\n" + oust + "\nlocal b,n=ARGV[2],ARGV[3]if N(n)then return{'kind',a,l}end if not J(b)then local bf=i and n=='fair'and next(o)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]local cf=false if n=='latch'then redis.call('ZCARD',i)elseif i and not bf then cf=bB()end local U=j>a and(n~='fair'and n~='rw'or next(o)or cf)for aS in pairs(o)do aa(aS,'F')end aa(b,U and'F'or'N')l,h,j,H=n,math.max(h+1,a),bf and-bf or 0,bf and H or''aE(true)if n=='latch'then redis.call('UNLINK',i)elseif i then ad()end end return{'forced',a,h,J(b)=='F'and 1 or 0}",
  sha: ["4637268deb13d48bebb15e4a968cfa20780efc52", "dcacee69973042301cd077411d06cec833b603ef"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
