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
  lua: "local w=tonumber(ARGV[4])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,Y,ah=ARGV[2],ARGV[5],tonumber(ARGV[8])if J(n)then return{'kind',a,k}end if F(b)then return{'closed',a}end local u,e=aq()local D,az=math.max(u-a,0),math.max(a-h,0)local c=o[b]if not c then if e>0 and Y~=''and Y==an then if ARGV[7]=='0'then return{'owned',a,D}end if e==64 then return{'full',a,e}end else local O,as,P=nil,0,0 if ah<0 then as=cr()else local m=redis.call('ZRANGEBYSCORE',j,-a,a,'LIMIT',0,8)cv(m,b)O,as=cR(b)if ah>0 and O~=ah then return{'held',a,D,az,s,as,1,0}end P=#m==8 and ai or bO(as,s,az,D)end if e>0 or as>0 then if ah>=0 then if not O then O=math.max(L+1,a)L=O end cb(b,O,P,ARGV[9])G()ad()z()end return{'held',a,D,az,s,as,P,O or 0}end end if e==0 then h,an,aK=math.max(h+1,a),Y,ARGV[6]end c=a+ARGV[3]*1000 o[b],i,e=c,math.max(i,c),e+1 G()ca(b)z()end return{'granted',a,h,c-a,e}",
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["06d60fbe863ed416fe91282c557338230dd63f6f", "0c56a204e54365d8b3e7f218a7c74bc0060cac77"];
