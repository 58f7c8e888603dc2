// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\nlocal b,n,j=ARGV[2],ARGV[3],KEYS[2]if F(n)then return{'kind',a,m}end if not v(b)then local k=j and redis.call('ZRANGEBYSCORE',j,a,4e15,'LIMIT',0,15)or{}local as=i>a and(n~='fair'and n~='rw'or next(o)or#k>0)for P,ae in ipairs(k)do if not v(ae:sub(1,36))then B(ae:sub(1,36),'f')end end for ae in pairs(o)do B(ae,'f')end B(b,as and'f'or'n')local aR=as and n=='fair'and redis.call('ZRANGEBYSCORE',j,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]m,g,i,A=n,math.max(g+1,a),aR and-aR or 0,aR and A or''ay(ARGV[4])if n=='counter'then redis.call('PEXPIRE',j,ARGV[4])elseif j and not aR then redis.call('UNLINK',j)end end return{'forced',a,g,v(b)=='f'and 1 or 0}",
  sha: ["9374c28d62288d82d07d02bb6e463f813367395b", "09679ca952f461e1b491511fda14657b292d670a"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
