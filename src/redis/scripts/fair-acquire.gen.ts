// Generated from lua/fair-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, lock, one, queue, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "owned"; readonly now: number; readonly remaining: number }
  | { readonly status: "full"; readonly now: number; readonly holds: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, label: string | number, reentrant: string | number, ticket: string | number, grace: string | number], FairAcquireReply> = {
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + "local n='fair'\n" + lock + queue + "local b,O,ai=ARGV[2],ARGV[5],tonumber(ARGV[8])if L(n)then return{'kind',a,k}end if G(b)then return{'closed',a}end local y,d=au()local t,az=math.max(y-a,0),math.max(a-h,0)local c=o[b]if not c then if d>0 and O~=''and O==aq then if ARGV[7]=='0'then return{'owned',a,t}end if d==64 then return{'full',a,d}end else local P,av,Q=nil,0,0 if ai<0 then av=cB()else local m=redis.call('ZRANGEBYSCORE',j,-a,a,'LIMIT',0,8)cF(m,b)P,av=cZ(b)if ai>0 and P~=ai then return{'held',a,t,az,x,av,1,0}end Q=#m==8 and ah or bV(av,x,az,t)end if d>0 or av>0 then if ai>=0 then if not P then P=math.max(M+1,a)M=P end ci(b,P,Q,ARGV[9])H()ae()C()end return{'held',a,t,az,x,av,Q,P or 0}end end if d==0 then h,aq,aM=math.max(h+1,a),O,ARGV[6]end c=a+ARGV[3]*1000 o[b],i,d=c,math.max(i,c),d+1 H()ch(b)C()end return{'granted',a,h,c-a,d}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|owned remaining#|full holds#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["75bd5a307dafc0c6d43d163de2e90342bdf341ce", "b8eb7fba6ae4c3558eabae50117b526fa16aa82b"];
